/** Prints `N passed, N failed` (and `, N skipped`) as the very last line of a test run. */
export default class ClosingLine {
  onTestRunEnd(modules, unhandledErrors) {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state) => tests.filter((test) => test.result().state === state).length;
    // A file that cannot be loaded and an error outside any test have failed too.
    const broken = modules.filter((module) => module.errors().length > 0).length + unhandledErrors.length;
    const counts = [`${count('passed')} passed`, `${count('failed') + broken} failed`];
    if (count('skipped') > 0) counts.push(`${count('skipped')} skipped`);
    // Only at the exit has everyone else said what they had to say.
    process.once('exit', () => process.stdout.write(`${counts.join(', ')}\n`));
  }
}
