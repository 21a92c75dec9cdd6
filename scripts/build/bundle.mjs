import path from 'node:path';
import * as esbuild from 'esbuild';
import { declarations } from './declarations.mjs';
import { layOut } from './lay-out.mjs';
import { describeOperations } from './tools.mjs';

const output = {
  platform: 'node',
  target: 'node20',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
};

/** Bundles these entries: all files for `dist/`, and the sources that went into them. */
export async function bundleAll(root, entries) {
  const { tools, api } = await describeOperations(root);
  const types = declarations(root, api);
  const bundles = await Promise.all(entries.map((entry) => bundle(root, entry, tools.name)));
  return {
    // The tool list comes first: files are published in this order, and an entry needs it.
    files: [tools, ...bundles.flatMap(({ files }) => files), ...(await types)],
    inputs: bundles.flatMap(({ inputs }) => inputs),
  };
}

/**
 * Bundles one entry into `<name>.cjs` and lazy chunks. Entries share no chunks: they never run in one process, and a hook
 * would have to load a second file.
 */
async function bundle(root, entry, toolsFile) {
  const { outputFiles, metafile } = await esbuild.build({
    ...output,
    absWorkingDir: root,
    entryPoints: [entry],
    outdir: 'dist',
    entryNames: '[name]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    format: 'esm',
    splitting: true,
    external: ['@photostructure/sqlite', 'pg-native'],
    // Its CommonJS build requires its files in a way that bundlers cannot follow.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    define: { TOOLS_FILE: JSON.stringify(toolsFile) },
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  const chunks = await Promise.all(
    outputFiles.map(async (file) => ({ id: path.basename(file.path, '.js'), code: await toCommonJs(file.text) })),
  );
  return { files: layOut(path.basename(entry, '.ts'), chunks), inputs: usedInputs(metafile) };
}

/** Converts a chunk to CommonJS, in which `import()` is a lazy `require`. esbuild itself splits only ESM. */
async function toCommonJs(text) {
  const { code } = await esbuild.transform(text, {
    ...output,
    format: 'cjs',
    // A stack trace prints the whole line, so lines must not be too long.
    lineLimit: 160,
    supported: { 'dynamic-import': false },
    define: {
      'import.meta.url': '__chunkUrl',
      'import.meta.dirname': '__dirname',
      'import.meta.filename': '__filename',
    },
  });
  if (!code.includes('__chunkUrl')) return code;
  return `const __chunkUrl=require("node:url").pathToFileURL(__filename).href;\n${code}`;
}

function usedInputs(metafile) {
  const inputs = Object.values(metafile.outputs).flatMap((file) => Object.entries(file.inputs));
  return inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([input]) => input);
}
