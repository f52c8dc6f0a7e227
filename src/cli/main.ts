process.stdout.write('portolan\n');
