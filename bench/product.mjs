import { cpSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { bundleAll } from '../scripts/build/bundle.mjs';
import { buildWeb } from '../scripts/build/web.mjs';
import { publish } from '../scripts/build/publish.mjs';
import { warmUp } from '../scripts/build/warm-up.mjs';
import { temporaryFolder } from './clean-up.mjs';

const root = path.join(import.meta.dirname, '..');
const entries = ['src/cli.ts', 'src/hook.ts', 'src/host.ts', 'src/gate/worktree/tree-worker.ts'].filter((entry) =>
  existsSync(path.join(root, entry)),
);
const fixtures = ['bench/fixtures/floor.ts', 'bench/fixtures/worker.ts'];

/**
 * The sources as they are now, built as a release is built, but into a folder of its own: a build in dist/ half-way
 * through a run would change what is measured. It lies in node_modules, where the driver is found from.
 */
export async function buildProduct() {
  const cache = path.join(root, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const home = temporaryFolder(path.join(cache, 'sekisho-bench-'));
  for (const part of ['bin', 'processes', 'prompts', 'package.json'])
    cpSync(path.join(root, part), path.join(home, part), { recursive: true });
  const { files } = await bundleAll(root, [...entries, ...fixtures]);
  publish(path.join(home, 'dist'), files, 0);
  await buildWeb(root, path.join(home, 'dist', 'web'), 0);
  warmUp(home);
  return {
    bin: path.join(home, 'bin', 'sekisho'),
    floor: path.join(home, 'dist', 'floor.cjs'),
    worker: path.join(home, 'dist', 'worker.cjs'),
    hasHook: existsSync(path.join(home, 'dist', 'hook.cjs')),
    home,
  };
}

/** A module of the tests, which plain Node 20 cannot load. It goes on finding its neighbours. */
export async function loadTypeScript(file, home) {
  const source = path.join(root, file);
  const outfile = path.join(home, `${path.basename(file, '.ts')}.mjs`);
  await esbuild.build({
    entryPoints: [source],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    define: { 'import.meta.url': JSON.stringify(`file://${source}`) },
  });
  return import(outfile);
}
