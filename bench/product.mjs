import { spawnSync } from 'node:child_process';
import { cpSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { temporaryFolder } from './clean-up.mjs';

const parts = ['bin', 'dashboard', 'processes', 'prompts', 'scripts', 'src', 'LICENSE', 'package.json'];

/**
 * A release build of a checkout's sources, in a folder of its own: a build in the checkout's dist/ during a run would
 * change what is measured.
 */
export async function buildProduct(checkout) {
  const home = temporaryFolder(path.join(tmpdir(), 'sekisho-product-'));
  for (const part of parts) cpSync(path.join(checkout, part), path.join(home, part), { recursive: true });
  symlinkSync(path.join(checkout, 'node_modules'), path.join(home, 'node_modules'));
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/build.mjs'], {
    cwd: home,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${checkout} was not built:\n${stdout}${stderr}`);
  return { bin: path.join(home, 'bin', 'sekisho'), emitter: await bundleEmitter(home) };
}

/** The one fixture that imports the product. Beside a copy of the sources it gets those of the measured checkout. */
async function bundleEmitter(home) {
  const entry = path.join(home, 'bench', 'fixtures', 'emitter.ts');
  cpSync(path.join(import.meta.dirname, 'fixtures', 'emitter.ts'), entry);
  const outfile = path.join(home, 'dist', 'emitter.mjs');
  await esbuild.build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  });
  return outfile;
}
