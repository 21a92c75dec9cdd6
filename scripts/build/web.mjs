import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import * as esbuild from 'esbuild';

/**
 * Builds the dashboard into `folder`: `index.html` and files with a digest in their names, each with gzip and brotli variants
 * beside it. Returns the sources that went into it.
 */
export async function buildWeb(root, folder, keepStaleMs) {
  const { outputFiles, metafile } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: { main: 'dashboard/main.tsx' },
    outdir: 'assets',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome123', 'firefox128', 'safari17.5'],
    jsx: 'automatic',
    minify: true,
    legalComments: 'none',
    define: { 'process.env.NODE_ENV': '"production"' },
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  const built = outputFiles.map((file) => ({
    name: `assets/${path.basename(file.path)}`,
    bytes: Buffer.from(file.contents),
  }));
  const icon = readFileSync(path.join(root, 'dashboard/icon.svg'));
  const iconName = `assets/icon-${createHash('sha256').update(icon).digest('hex').slice(0, 8)}.svg`;
  const named = (start, end) => built.find(({ name }) => name.startsWith(`assets/${start}`) && name.endsWith(end)).name;
  const html = readFileSync(path.join(root, 'dashboard/index.html'), 'utf8')
    .replace('/assets/icon.svg', `/${iconName}`)
    .replace('/assets/main.css', `/${named('main-', '.css')}`)
    .replace('/assets/main.js', `/${named('main-', '.js')}`);
  const files = [...built, { name: iconName, bytes: icon }, { name: 'index.html', bytes: Buffer.from(html) }];
  put(folder, files, keepStaleMs);
  return Object.values(metafile.outputs).flatMap((output) =>
    Object.entries(output.inputs)
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .map(([input]) => input),
  );
}

/** Writes the files, `index.html` last because it refers to the others. Old files stay for a while: a tab may still need them. */
function put(folder, files, keepStaleMs) {
  mkdirSync(path.join(folder, 'assets'), { recursive: true });
  const staging = mkdtempSync(path.join(folder, '.new-'));
  const kept = new Set();
  for (const { name, bytes } of files) {
    const variants = [
      { name, bytes },
      { name: `${name}.gz`, bytes: gzipSync(bytes, { level: 9 }) },
      { name: `${name}.br`, bytes: brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }) },
    ];
    for (const one of variants) {
      kept.add(one.name);
      const target = path.join(folder, one.name);
      if (existsSync(target) && readFileSync(target).equals(one.bytes)) continue;
      const draft = path.join(staging, path.basename(one.name));
      writeFileSync(draft, one.bytes);
      renameSync(draft, target);
    }
  }
  rmSync(staging, { recursive: true });
  removeStale(folder, kept, keepStaleMs);
}

function removeStale(folder, kept, keepMs) {
  const record = path.join(folder, '.stale.json');
  const since = new Map(Object.entries(existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')) : {}));
  const stale = readdirSync(path.join(folder, 'assets')).filter((name) => !kept.has(`assets/${name}`));
  const left = stale.filter((name) => Date.now() - (since.get(name) ?? Date.now()) < keepMs);
  for (const name of stale) if (!left.includes(name)) rmSync(path.join(folder, 'assets', name));
  writeFileSync(
    record,
    `${JSON.stringify(Object.fromEntries(left.map((name) => [name, since.get(name) ?? Date.now()])))}\n`,
  );
}
