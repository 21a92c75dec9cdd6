import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '..');
const run = promisify(execFile);

interface Summary {
  readonly totalCruised: number;
  readonly violations: readonly {
    readonly from: string;
    readonly to: string;
    readonly rule: { readonly name: string };
  }[];
}

async function cruise(cwd: string): Promise<Summary> {
  const program = path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const config = path.join(root, '.dependency-cruiser.cjs');
  const args = [program, '--config', config, '--output-type', 'json', 'src'];
  // Violations make it exit with their number; the report is on stdout all the same.
  const { stdout } = await run(process.execPath, args, { cwd, maxBuffer: 2 ** 26 }).catch(
    (error: { stdout: string }) => error,
  );
  return (JSON.parse(stdout) as { summary: Summary }).summary;
}

/** A little tree in which every import is allowed. */
const innocent: Record<string, readonly string[]> = {
  'kernel/store.ts': [],
  'kernel/operation.ts': ['./store.ts', 'zod'],
  'journal/operations.ts': ['../kernel/operation.ts'],
  'gate/index.ts': ['./machine.ts'],
  'gate/machine.ts': ['../kernel/operation.ts'],
  'gate/light.ts': ['../kernel/store.ts'],
  'gate/operations.ts': ['./operation/emit-event.ts'],
  'gate/operation/emit-event.ts': ['../machine.ts', '../../kernel/operation.ts'],
  'gate/guard/artifact.ts': ['../machine.ts'],
  'gate/guard/command.ts': ['node:child_process'],
  'graph/layout.ts': ['@dagrejs/dagre'],
  'machine/identity.ts': [],
  'machine/tree.ts': ['./identity.ts', 'node:child_process'],
  'fleet/index.ts': ['../gate/index.ts', './agent/claude.ts', './host/child.ts'],
  'fleet/host/child.ts': ['node:child_process', '../../machine/tree.ts'],
  'fleet/agents.ts': ['./agent/claude.ts', './agent-cli.ts'],
  'fleet/agent-cli.ts': ['../kernel/store.ts'],
  'fleet/shape/stream-json.ts': ['../agent-cli.ts'],
  'fleet/agent/claude.ts': ['./claude/stream.ts', '../shape/stream-json.ts', 'node:path'],
  'fleet/agent/claude/stream.ts': [],
  'phase/index.ts': ['../kernel/operation.ts'],
  'upstream/index.ts': ['./wire/connection.ts'],
  'upstream/wire/connection.ts': ['@modelcontextprotocol/client', 'node:child_process'],
  'work/runner.ts': ['../fleet/index.ts', '../gate/index.ts', '../phase/index.ts', '../kernel/store.ts'],
  'store/engine.ts': ['../kernel/store.ts'],
  'store/dialect/sqlite.ts': ['@photostructure/sqlite', '../engine.ts'],
  'store/dialect/postgres.ts': ['pg', '../engine.ts'],
  'surface/stdio.ts': ['@modelcontextprotocol/server/stdio', '../kernel/operation.ts'],
  'surface/terminal/editor.ts': ['node:child_process'],
  'config/load.ts': ['../kernel/store.ts', '../machine/identity.ts'],
  'hook/judge.ts': ['../kernel/store.ts', '../machine/identity.ts', '../gate/light.ts', '../fleet/agents.ts'],
  'modules.ts': ['./gate/operations.ts', './kernel/operation.ts'],
  'app/application.ts': ['../config/load.ts', '../modules.ts', '../store/engine.ts', '../surface/stdio.ts'],
  'command/init.ts': ['../graph/layout.ts', '../app/application.ts', '../hook/judge.ts', '../fleet/agents.ts'],
  'library/operations.ts': [],
  'library/client.ts': ['./operations.ts'],
  'library/process.ts': ['../gate/machine.ts', '../kernel/store.ts', 'zod'],
  'cli.ts': ['./app/application.ts', './command/init.ts'],
};

const violations = [
  ['kernel-knows-nobody', 'kernel/bad.ts', '../gate/machine.ts'],
  ['machine-knows-nobody', 'machine/bad.ts', '../kernel/store.ts'],
  ['graph-knows-nobody', 'graph/bad.ts', '../kernel/store.ts'],
  ['graph-knows-nobody', 'graph/bad-zod.ts', 'zod'],
  ['gate-knows-kernel', 'gate/bad.ts', '../store/engine.ts'],
  ['gate-knows-kernel', 'gate/bad-index.ts', '../phase/index.ts'],
  ['journal-knows-kernel', 'journal/bad.ts', '../store/engine.ts'],
  ['notify-knows-kernel', 'notify/bad.ts', '../gate/index.ts'],
  ['phase-fleet-upstream-know-kernel-and-gate', 'phase/bad.ts', '../gate/machine.ts'],
  ['phase-fleet-upstream-know-kernel-and-gate', 'fleet/bad.ts', '../phase/index.ts'],
  ['phase-fleet-upstream-know-kernel-and-gate', 'upstream/bad.ts', '../work/runner.ts'],
  ['work-knows-kernel-and-modules', 'work/bad.ts', '../fleet/agent/claude.ts'],
  ['work-knows-kernel-and-modules', 'work/bad-store.ts', '../store/engine.ts'],
  ['agents-know-kernel', 'fleet/agent/bad-host.ts', '../host/child.ts'],
  ['agents-know-kernel', 'fleet/agent/bad-zod.ts', 'zod'],
  ['agents-know-kernel', 'fleet/shape/bad-gate.ts', '../../gate/index.ts'],
  ['hook-knows-kernel-gate-and-agents', 'hook/bad.ts', '../gate/index.ts'],
  ['hook-knows-kernel-gate-and-agents', 'hook/bad-fleet.ts', '../fleet/index.ts'],
  ['hook-knows-kernel-gate-and-agents', 'hook/bad-config.ts', '../config/load.ts'],
  ['hook-knows-kernel-gate-and-agents', 'hook/bad-app.ts', '../app/application.ts'],
  ['app-knows-no-command', 'app/bad-command.ts', '../command/init.ts'],
  ['store-surface-config-know-kernel', 'store/bad.ts', '../gate/index.ts'],
  ['store-surface-config-know-kernel', 'surface/bad.ts', '../store/engine.ts'],
  ['store-surface-config-know-kernel', 'config/bad.ts', '../gate/index.ts'],
  ['user-knows-kernel', 'user/bad.ts', '../app/application.ts'],
  ['library-knows-kernel-and-gate', 'library/bad.ts', '../store/engine.ts'],
  ['published-types-know-nobody', 'library/client.ts', '../kernel/store.ts'],
  ['entries-are-imported-by-nobody', 'app/bad.ts', '../cli.ts'],
  ['entries-are-imported-by-nobody', 'app/bad-library.ts', '../library/process.ts'],
  ['product-knows-no-tests', 'gate/bad-test.ts', '../../test/fixture.ts'],
  ['siblings-do-not-know-each-other', 'gate/guard/bad.ts', './artifact.ts'],
  ['siblings-do-not-know-each-other', 'gate/operation/bad.ts', './emit-event.ts'],
  ['siblings-do-not-know-each-other', 'fleet/agent/bad.ts', './claude/stream.ts'],
  ['siblings-do-not-know-each-other', 'store/dialect/bad.ts', './sqlite.ts'],
  ['mcp-sdk-stays-at-the-edge', 'gate/bad-sdk.ts', '@modelcontextprotocol/server'],
  ['mcp-sdk-stays-at-the-edge', 'upstream/bad-sdk.ts', '@modelcontextprotocol/client/stdio'],
  ['database-drivers-stay-in-dialects', 'store/bad-sqlite.ts', '@photostructure/sqlite'],
  ['database-drivers-stay-in-dialects', 'work/bad-pg.ts', 'pg'],
  ['child-processes-start-in-few-places', 'work/bad-spawn.ts', 'node:child_process'],
  ['child-processes-start-in-few-places', 'gate/guard/bad-spawn.ts', 'child_process'],
  ['child-processes-start-in-few-places', 'fleet/agent/bad-spawn.ts', 'node:child_process'],
  ['no-cycles', 'kernel/store.ts', './operation.ts'],
  ['imports-resolve', 'gate/bad-name.ts', './no-such-file.ts'],
] as const;

describe('boundaries', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'sekisho-boundaries-'));
    await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  });

  afterAll(() => rm(folder, { recursive: true }));

  async function plant(
    name: string,
    keyword: string,
    extra: readonly (readonly [string, string, string])[],
  ): Promise<Summary> {
    const files = new Map(Object.entries(innocent).map(([file, imports]) => [file, [...imports]]));
    for (const [, file, target] of extra) files.set(file, [...(files.get(file) ?? []), target]);
    const tree = path.join(folder, name);
    await mkdir(path.join(tree, 'test'), { recursive: true });
    await writeFile(path.join(tree, 'test/fixture.ts'), 'export {};\n');
    for (const [file, targets] of files) {
      const lines = targets.map((target, index) => `${keyword} * as m${index} from '${target}';`);
      await mkdir(path.dirname(path.join(tree, 'src', file)), { recursive: true });
      await writeFile(path.join(tree, 'src', file), [...lines, 'export {};', ''].join('\n'));
    }
    return cruise(tree);
  }

  test('a tree that keeps to the table passes', async () => {
    const { totalCruised, violations: found } = await plant('innocent', 'import', []);
    expect(found).toEqual([]);
    expect(totalCruised).toBeGreaterThan(Object.keys(innocent).length);
  });

  test.each(['import', 'import type'])('every planted violation by %s is found, each by its rule', async (keyword) => {
    const { violations: found } = await plant(keyword.replace(' ', '-'), keyword, violations);
    // A cycle is reported from any of its ends.
    const isFound = ([rule, file]: (typeof violations)[number]) =>
      found.some(
        ({ rule: { name }, from, to }) => name === rule && [from, name === 'no-cycles' && to].includes(`src/${file}`),
      );
    expect(violations.filter((violation) => !isFound(violation))).toEqual([]);
  });

  test('every rule has a planted violation', () => {
    const { forbidden } = createRequire(import.meta.url)('../.dependency-cruiser.cjs') as {
      forbidden: readonly { name: string }[];
    };
    expect(new Set(violations.map(([rule]) => rule))).toEqual(new Set(forbidden.map(({ name }) => name)));
  });

  test('the real tree keeps to the table', async () => {
    const { totalCruised, violations: found } = await cruise(root);
    expect(totalCruised).toBeGreaterThan(0);
    expect(found.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)).toEqual([]);
  });
});
