import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';

/** Loads the product's own lists from the sources, so that everything that is added to them is documented. */
export async function loadProduct(root) {
  const owners = readdirSync(path.join(root, 'src')).filter((name) =>
    existsSync(path.join(root, 'src', name, 'problem.ts')),
  );
  const contents = [
    `export { loadCatalogue } from './app/catalogue.ts';`,
    `export { commands } from './command/commands.ts';`,
    `export { exitCode } from './command/frame/command.ts';`,
    `export { toolsets } from './kernel/toolset.ts';`,
    `export { failureEnvelope } from './surface/envelope.ts';`,
    `export { commandName, flagName } from './surface/terminal/cli.ts';`,
    `export { openApi } from './surface/http/openapi.ts';`,
    `export { describeTool } from './surface/mcp/describe.ts';`,
    ...owners.map((name) => `import * as ${name} from './${name}/problem.ts';`),
    `export const problems = { ${owners.join(', ')} };`,
  ].join('\n');
  // In node_modules, so that packages outside of the bundle are found.
  const folder = mkdtempSync(path.join(root, 'node_modules', '.sekisho-docs-'));
  try {
    const outfile = path.join(folder, 'product.mjs');
    await esbuild.build({
      stdin: { contents, resolveDir: path.join(root, 'src'), loader: 'ts' },
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      packages: 'external',
      logLevel: 'warning',
    });
    const { loadCatalogue, commands, ...rest } = await import(pathToFileURL(outfile).href);
    const catalog = await loadCatalogue();
    const loaded = await Promise.all(
      commands.map(async ({ name, summary, load }) => ({ name, summary, ...(await load()) })),
    );
    return { ...rest, ...catalog, commands: loaded };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
