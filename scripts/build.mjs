import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { thirdPartyLicenses } from './build/licenses.mjs';
import { publish } from './build/publish.mjs';
import { copySqlite, driver } from './build/sqlite.mjs';

const root = path.join(import.meta.dirname, '..');
const dist = path.join(root, 'dist');
const entries = [
  'src/cli.ts',
  'src/hook.ts',
  'src/host.ts',
  'src/gate/worktree/tree-worker.ts',
  'src/library/client.ts',
  'src/library/process.ts',
].filter((entry) => existsSync(path.join(root, entry)));

// A package contains one build, and no code cache of the machine that packed it.
const packing = ['pack', 'publish'].includes(process.env.npm_command);
const keepStaleMs = packing ? 0 : 86_400_000;

const started = performance.now();
const { bundleAll } = await import('./build/bundle.mjs').catch(withoutEsbuild);
const { buildWeb } = await import('./build/web.mjs');
const { files, inputs } = await bundleAll(root, entries);
const webInputs = await buildWeb(root, path.join(dist, 'web'), keepStaleMs);
copySqlite(root, path.join(dist, 'sqlite'));
const licenses = thirdPartyLicenses(root, [...inputs, ...webInputs, driver]);
const changed = publish(dist, [{ name: 'THIRD_PARTY_LICENSES.txt', text: licenses }, ...files], keepStaleMs);
if (packing)
  for (const name of ['.cache', '.stale.json', 'web/.stale.json'])
    rmSync(path.join(dist, name), { recursive: true, force: true });
else if (changed && existsSync(path.join(dist, 'cli.cjs')))
  spawnSync(process.execPath, [path.join(root, 'bin/warm-up.cjs')], { stdio: 'inherit' });
report(`built ${entries.length} entries, ${files.length} files${changed ? '' : ', nothing changed'}`);

function withoutEsbuild(error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND' || !error.message.includes("'esbuild'")) throw error;
  const built = existsSync(path.join(dist, 'cli.cjs'));
  process.stderr.write(
    built
      ? 'esbuild is not installed (--omit=dev?): dist/ stays as it is.\n'
      : 'dist/ is missing and esbuild is not installed to build it. Run npm ci with development dependencies, or install a released package.\n',
  );
  process.exit(built ? 0 : 1);
}

function report(line) {
  process.stdout.write(`${line} in ${Math.round(performance.now() - started)} ms\n`);
}
