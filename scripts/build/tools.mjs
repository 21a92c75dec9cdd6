import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';

const contents = `
export { loadCatalogue } from './app/catalogue.ts';
export { openApi } from './surface/http/openapi.ts';
export { describeTool } from './surface/mcp/describe.ts';
`;

/** Describes the operations for the build: the tools for servers, and the API for the types of `sekisho/client`. */
export async function describeOperations(root) {
  const { loadCatalogue, openApi, describeTool } = await load(root);
  const { operations } = await loadCatalogue();
  return { tools: listTools(operations, describeTool), api: openApi(operations) };
}

/**
 * The file with our tools as clients see them: a server that lists them loads neither zod nor any operation. Its name has a
 * digest, so that a running process never reads the list of another build.
 */
function listTools(operations, describeTool) {
  const listed = operations.map((operation) => ({ toolsets: operation.toolsets, tool: describeTool(operation) }));
  for (const { tool } of listed) demandObjects(tool);
  const text = JSON.stringify(listed);
  return { name: `tools.${createHash('sha256').update(text).digest('hex').slice(0, 8)}.json`, text };
}

/** Fails if a schema is not an object: a 2025-era client refuses a server with such a tool. */
function demandObjects({ name, inputSchema, outputSchema }) {
  if (inputSchema.type !== 'object' || outputSchema.type !== 'object')
    throw new Error(`${name} must take and return an object`);
}

async function load(root) {
  // In node_modules, so that packages outside of the bundle are found: there must be only one zod.
  const folder = mkdtempSync(path.join(root, 'node_modules', '.sekisho-tools-'));
  try {
    const outfile = path.join(folder, 'catalogue.mjs');
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
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
