import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Plugin, build } from 'esbuild';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

interface Start {
  readonly entry: string;
  /** What is loaded with `import()` from there on before the first answer. */
  readonly next?: readonly string[];
  /** Ends the path of a file that is part of it. */
  readonly part: RegExp;
}

const hook: Start = { entry: 'src/hook.ts', part: /src\/hook\/judge\.ts$/ };
const server: Start = {
  entry: 'src/cli.ts',
  next: ['src/command/mcp.ts', 'src/app/configure.ts', 'src/app/application.ts', 'src/app/announce-start.ts'],
  part: /src\/phase\/module\.ts$/,
};

/** A line more in a file of it, and what it imports in use. */
function planting(part: RegExp, line: string): Plugin {
  return {
    name: 'plant',
    setup({ onLoad }) {
      onLoad({ filter: part }, async ({ path }) => ({
        contents: `${await readFile(path, 'utf8')}\n${line}\nconsole.log(planted);\n`,
        loader: 'ts',
      }));
    },
  };
}

/** What is loaded at a start: all that its entry reaches without an `import()`, and what it imports before its first answer. */
async function eager(
  { entry, next = [], part }: Start,
  planted?: string,
): Promise<{ inputs: readonly string[]; builtins: readonly string[] }> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outdir: 'dist',
    bundle: true,
    format: 'esm',
    splitting: true,
    platform: 'node',
    external: ['@photostructure/sqlite', 'pg-native'],
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    define: { TOOLS_FILE: '""' },
    plugins: planted === undefined ? [] : [planting(part, planted)],
    metafile: true,
    write: false,
    logLevel: 'error',
  });
  const reached = new Set<string>();
  const reach = (name: string | undefined): void => {
    const output = name === undefined ? undefined : metafile.outputs[name];
    if (name === undefined || output === undefined || reached.has(name)) return;
    reached.add(name);
    for (const one of output.imports) if (one.kind === 'import-statement') reach(one.path);
  };
  for (const start of [entry, ...next]) {
    const found = Object.keys(metafile.outputs).find((name) => metafile.outputs[name]?.entryPoint === start);
    expect(found, start).toBeDefined();
    reach(found);
  }
  const outputs = [...reached].flatMap((name) => metafile.outputs[name] ?? []);
  return {
    inputs: outputs.flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([name, { bytesInOutput }]) => (bytesInOutput > 0 ? [name] : [])),
    ),
    builtins: outputs
      .flatMap(({ imports }) => imports)
      .filter((one) => one.external === true && one.kind === 'import-statement')
      .map((one) => one.path),
  };
}

/** Loading one of these takes longer than everything that a decision needs. */
const dear = /node_modules\/|^src\/[^/]+\/(operation|guard)\/|^src\/(modules|[^/]+\/(module|operations|guards))\.ts$/;
/** `crypto` is needed: a receipt is a row of the journal, which is a chain of digests. */
const cheap = ['crypto', 'fs', 'module', 'os', 'path', 'url'].map((name) => `node:${name}`);

describe('what a hook loads at its start', () => {
  test('has every agent CLI, and nothing dear', async () => {
    const { inputs, builtins } = await eager(hook);
    expect(inputs).toContain('src/fleet/agent/claude.ts');
    expect(inputs.filter((name) => dear.test(name))).toEqual([]);
    expect([...new Set(builtins)].filter((name) => !cheap.includes(name))).toEqual([]);
  });

  test.each([
    ['zod', `import * as planted from 'zod';`, /node_modules\/zod\//],
    ['yaml', `import { parse as planted } from 'yaml';`, /node_modules\/yaml\//],
    ['the SDK', `import { Client as planted } from '@modelcontextprotocol/client';`, /@modelcontextprotocol/],
    ['an operation', `import { approve as planted } from '../gate/operation/approve.ts';`, /\/operation\//],
    ['the guards', `import { guards as planted } from '../gate/guards.ts';`, /\/guard\//],
    ['the modules', `import { modules as planted } from '../modules.ts';`, /^src\/modules\.ts$/],
  ])('%s in it would be noticed', async (_name, line, found) => {
    const { inputs } = await eager(hook, line);
    expect(inputs.filter((name) => dear.test(name) && found.test(name))).not.toEqual([]);
  });

  test('a dear part of Node in it would be noticed', async () => {
    const { builtins } = await eager(hook, `import { request as planted } from 'node:http';`);
    expect(builtins.filter((name) => !cheap.includes(name))).toEqual(['node:http']);
  });

  test('an index that is asked for one thing brings no other', async () => {
    const { inputs } = await eager(hook, `import { gatePhrase as planted } from '../gate/index.ts';`);
    expect(inputs.filter((name) => dear.test(name))).toEqual([]);
  });
});

describe('what a server loads before its first answers', () => {
  const dearest = /node_modules\/|^src\/[^/]+\/(operation|guard)\//;

  test('has every module, and nothing dear', async () => {
    const { inputs } = await eager(server);
    expect(inputs).toContain('src/phase/module.ts');
    expect(inputs.filter((name) => dearest.test(name))).toEqual([]);
  });

  test("another module's index would bring what it exports, so a module asks for a port", async () => {
    const { inputs } = await eager(server, `import { gatePhrase as planted } from '../gate/index.ts';`);
    expect(inputs.filter((name) => dearest.test(name))).not.toEqual([]);
  });
});
