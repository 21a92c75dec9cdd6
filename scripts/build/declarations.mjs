import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

/** The sources whose types the package publishes. They import only each other's types. */
const sources = ['client', 'process', 'walk-step'];

/** The types of the public entries. They are self-contained: users need neither zod nor our sources. */
export async function declarations(root, api) {
  const folder = mkdtempSync(path.join(root, 'node_modules', '.sekisho-types-'));
  try {
    const flags = ['--declaration', '--emitDeclarationOnly', '--noResolve', '--noCheck', '--isolatedDeclarations'];
    const target = ['--ignoreConfig', '--target', 'es2023', '--module', 'nodenext', '--outDir', folder];
    const files = sources.map((name) => `src/library/${name}.ts`);
    await promisify(execFile)('node_modules/.bin/tsc', [...flags, ...target, ...files], { cwd: root });
    return [
      ...sources.map((name) => ({
        name: `${name}.d.cts`,
        text: readFileSync(path.join(folder, `${name}.d.ts`), 'utf8').replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.cjs'"),
      })),
      { name: 'operations.d.cts', text: operationsOf(api) },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The operation types for `src/library/operations.ts`, from the OpenAPI document. */
function operationsOf({ paths }) {
  const entries = Object.entries(paths).flatMap(([address, { post }]) => {
    if (post === undefined) return [];
    const output = jsonOf(post.responses[200]);
    // The second alternative is the answer to `?ask`, which is a separate call.
    const answer = output.anyOf?.[1]?.$ref === undefined ? output : output.anyOf[0];
    const input = post.requestBody === undefined ? 'Record<string, never>' : typeOf(jsonOf(post.requestBody));
    const name = JSON.stringify(address.slice('/api/'.length));
    return `${comment(post.summary)}${name}: {\ninput: ${input};\noutput: ${typeOf(answer)};\n};\n`;
  });
  return `export interface Operations {\n${entries.join('')}}\n`;
}

function jsonOf(body) {
  return body.content['application/json'].schema;
}

/** Converts a JSON Schema to a TypeScript type. */
function typeOf(schema) {
  const { type, properties, required = [], additionalProperties: others, items, enum: values, anyOf } = schema;
  if ('const' in schema) return JSON.stringify(schema.const);
  if (values !== undefined) return values.map((one) => JSON.stringify(one)).join(' | ');
  if (anyOf !== undefined) return anyOf.map((one) => `(${typeOf(one)})`).join(' | ');
  if (Array.isArray(type)) return type.map((one) => typeOf({ ...schema, type: one })).join(' | ');
  if (type === undefined) return 'unknown';
  if (type === 'integer') return 'number';
  if (type === 'array') return `readonly (${typeOf(items ?? {})})[]`;
  if (type !== 'object') return type;
  if (properties === undefined) return `{ readonly [key: string]: ${typeOf(others || {})} }`;
  const fields = Object.entries(properties).map(([name, one]) => {
    const mark = required.includes(name) ? '' : '?';
    return `${comment(one.description)}readonly ${JSON.stringify(name)}${mark}: ${typeOf(one)};\n`;
  });
  return `{\n${fields.join('')}}`;
}

function comment(text) {
  return text === undefined ? '' : `/** ${text.replaceAll('*/', String.raw`*\/`)} */\n`;
}
