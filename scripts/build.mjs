// Makes dist/: one bundle a program, holding everything it needs, so that the published package depends on nothing.
// `--if-needed` is for `prepare`: it builds in a clone whose dist/ is stale, and leaves an install without development
// packages alone.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { isBuildStale, root } from './clone.mjs';

const PROGRAMS = {
  cli: 'src/cli/main.ts',
  worker: 'src/ingest/reading/worker.ts',
  seeker: 'src/tui/seeker.ts',
  mcp: 'src/mcp/main.ts',
};

// Each file costs a start a third of a millisecond, so what is always loaded together is one chunk, with all that it
// imports: what every command begins with, what answers a question, what a worker reads with, and what keeps what was read.
const GROUPS = [
  {
    name: 'base',
    test: /[\\/](?:cli[\\/]command|redact[\\/]begin|render[\\/]style|transcript[\\/]json|home[\\/]code-cache)\.ts$/,
    priority: 4,
  },
  { name: 'answering', test: /[\\/]cli[\\/]search\.ts$/, priority: 3 },
  { name: 'reading', test: /[\\/]ingest[\\/]reading[\\/]deltas\.ts$/, priority: 2 },
  { name: 'keeping', test: /[\\/]ingest[\\/](?:run|writable-stores)\.ts$/, priority: 1 },
];

// An import of one of Node's modules asks for all that it exports, and so loads what nobody needs (with `node:fs` all of
// streams): 5 ms of a start. Asked for by name, a module gives what is taken from it.
const IMPORT = /^import \{([^}]*)\} from "(node:[^"]+)";$/gm;
const byName = {
  name: 'builtins-by-name',
  renderChunk: (code) =>
    code.replace(
      IMPORT,
      (_, names, id) => `const {${names.replaceAll(' as ', ': ')}} = process.getBuiltinModule("${id}");`,
    ),
};

const isOptional = process.argv.includes('--if-needed');
const canBuild = existsSync(join(root, 'node_modules', 'rolldown'));
if (!isOptional || (canBuild && isBuildStale())) await build();

/** Builds beside dist/ and then takes its place, so that nobody ever meets half a build. */
async function build() {
  const startedAt = new Date();
  const workshop = join(root, `.build-${process.pid}`);
  const made = join(workshop, 'dist'); // git ignores a folder of this name anywhere
  try {
    await bundle(made);
    // An edit made while we were building is newer than this.
    utimesSync(join(made, 'cli.mjs'), startedAt, startedAt);
    swap(made, join(root, 'dist'), join(workshop, 'old', 'dist'));
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
}

/** Writes the bundles to `dir`. What a command loads late becomes a chunk of its own, beside the programs. */
async function bundle(dir) {
  const { rolldown } = await import('rolldown');
  const alias = { '@modelcontextprotocol/server/_shims': join(root, 'src', 'mcp', 'sdk-shims.ts') };
  const options = { platform: 'node', tsconfig: true, resolve: { alias }, plugins: [byName] };
  const bundler = await rolldown({ cwd: root, input: PROGRAMS, ...options });
  const { output } = await bundler.write({
    dir,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
    codeSplitting: { groups: GROUPS },
    // Dead code goes; names and lines stay, for stack traces that can be read.
    minify: { compress: true, mangle: false, codegen: false },
    comments: { legal: true, annotation: false, jsdoc: false },
  });
  await bundler.close();
  output.forEach(assertClosed);
  writeFileSync(join(dir, 'THIRD-PARTY-LICENSES.txt'), licencesOf(output));
  // What `start --demo` shows.
  cpSync(join(root, 'sample'), join(dir, 'sample'), { recursive: true });
  // What `setup` puts into agents. The plugin's skills are the same ones.
  cpSync(join(root, 'integrations'), join(dir, 'integrations'), { recursive: true });
  cpSync(join(root, 'integrations', 'skills'), join(dir, 'integrations', 'plugin', 'skills'), { recursive: true });
}

/** The licences of the packages whose code is in the bundles: they go where the code goes. */
function licencesOf(output) {
  const files = output.flatMap((chunk) => Object.keys(chunk.modules ?? {}));
  const names = files.flatMap((file) => /node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file)?.[1] ?? []);
  const texts = [...new Set(names)].sort().map((name) => {
    const folder = join(root, 'node_modules', name);
    const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
    if (file === undefined) throw new Error(`${name} is bundled, and has no licence to go with it`);
    return `${name}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
  });
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}

/** A bundle may import only Node's own modules and its sibling chunks; the bundler leaves what it cannot find as it is. */
function assertClosed({ fileName, imports = [], dynamicImports = [] }, _, output) {
  const isInside = (id) => id.startsWith('node:') || isBuiltin(id) || output.some((each) => each.fileName === id);
  const missing = [...imports, ...dynamicImports].filter((id) => !isInside(id));
  if (missing.length > 0) throw new Error(`dist/${fileName} would import ${missing.join(', ')}, which is not bundled`);
}

/** Puts `made` where `place` is; what was there goes to `old`. Where several builds do so at once, the last one stays. */
function swap(made, place, old) {
  mkdirSync(join(old, '..'), { recursive: true });
  for (let attempt = 1; ; attempt++) {
    try {
      rmSync(old, { recursive: true, force: true });
      if (existsSync(place)) renameSync(place, old);
      return renameSync(made, place);
    } catch (error) {
      if (attempt === 20) throw error; // another build came between our two steps; not that often, though
    }
  }
}
