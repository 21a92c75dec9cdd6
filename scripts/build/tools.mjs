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

/** What the build writes down of the operations: the tools for servers, the API for the types of `sekisho/client`. */
export async function describeOperations(root) {
  const { loadCatalogue, openApi, describeTool } = await load(root);
  const { operations } = await loadCatalogue();
  return { tools: listTools(operations, describeTool), api: openApi(operations) };
}

/**
 * Our tools as clients see them, written down: a server that lists them loads neither zod nor any operation. The name has
 * a digest, so that a running process never reads another build's list.
 */
function listTools(operations, describeTool) {
  const listed = operations.map((operation) => ({
    toolsets: operation.toolsets,
    tool: describeTool(operation),
  }));
  for (const { tool } of listed) demandObjects(tool);
  const text = JSON.stringify(listed);
  return { name: `tools.${createHash('sha256').update(text).digest('hex').slice(0, 8)}.json`, text };
}

/** A client of the 2025 era refuses a server whose tools take or return anything else. */
function demandObjects({ name, inputSchema, outputSchema }) {
  if (inputSchema.type !== 'object' || outputSchema.type !== 'object')
    throw new Error(`${name} must take and return an object`);
}

async function load(root) {
  // Beside the packages, so that those which stay outside of the bundle are found: zod must be one and the same.
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
