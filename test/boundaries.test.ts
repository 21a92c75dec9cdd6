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
  'base/once.ts': [],
  'kernel/store.ts': ['../base/once.ts'],
  'kernel/operation.ts': ['./store.ts', 'zod'],
  'journal/operations.ts': ['../kernel/operation.ts'],
  'gate/index.ts': ['./machine.ts'],
  'gate/machine.ts': ['../kernel/operation.ts'],
  'gate/hook-api.ts': ['../kernel/store.ts'],
  'gate/operations.ts': ['./operation/emit-event.ts'],
  'gate/operation/emit-event.ts': ['../machine.ts', '../../kernel/operation.ts'],
  'gate/guard/artifact.ts': ['../machine.ts'],
  'gate/guard/command.ts': ['node:child_process'],
  'graph/layout.ts': ['@dagrejs/dagre'],
  'protocol/lines.ts': ['../base/once.ts', '../kernel/store.ts'],
  'sandbox/port.ts': ['../kernel/store.ts'],
  'sandbox/confine.ts': ['./port.ts', '../fleet/agents.ts', '../config/load.ts', 'node:child_process'],
  'setup/install.ts': ['../config/load.ts', '../fleet/agents.ts', '../sandbox/confine.ts'],
  'machine/identity.ts': ['../base/once.ts'],
  'machine/tree.ts': ['./identity.ts', 'node:child_process'],
  'change/index.ts': ['./tree.ts'],
  'change/tree.ts': ['../gate/index.ts', '../machine/tree.ts', '../sandbox/port.ts', '../kernel/store.ts'],
  'fleet/index.ts': [
    '../gate/index.ts',
    '../change/index.ts',
    './agent/claude.ts',
    './host/child.ts',
    '../sandbox/port.ts',
  ],
  'fleet/terminal/view.ts': ['../agent-cli.ts', '../../surface/terminal/editor.ts'],
  'fleet/host/child.ts': ['node:child_process', '../../machine/tree.ts'],
  'fleet/agents.ts': ['./agent/claude.ts', './agent-cli.ts'],
  'fleet/agent-cli.ts': ['../kernel/store.ts'],
  'fleet/shape/stream-json.ts': ['../agent-cli.ts'],
  'fleet/agent/claude.ts': ['./claude/stream.ts', '../shape/stream-json.ts', 'node:path'],
  'fleet/agent/claude/stream.ts': [],
  'phase/index.ts': ['../kernel/operation.ts'],
  'upstream/index.ts': ['./wire/connection.ts'],
  'upstream/wire/connection.ts': ['@modelcontextprotocol/client', 'node:child_process', '../../protocol/lines.ts'],
  'work/runner.ts': [
    '../fleet/index.ts',
    '../change/index.ts',
    '../gate/index.ts',
    '../phase/index.ts',
    '../kernel/store.ts',
  ],
  'store/engine.ts': ['../kernel/store.ts'],
  'store/dialect/sqlite.ts': ['@photostructure/sqlite', '../engine.ts'],
  'store/dialect/postgres.ts': ['pg', '../engine.ts'],
  'surface/stdio.ts': ['@modelcontextprotocol/server/stdio', '../kernel/operation.ts', '../protocol/lines.ts'],
  'surface/terminal/editor.ts': ['node:child_process'],
  'config/load.ts': ['../kernel/store.ts', '../machine/identity.ts'],
  'hook/judge.ts': ['../kernel/store.ts', '../machine/identity.ts', '../gate/hook-api.ts', '../fleet/agents.ts'],
  'library/operations.ts': [],
  'library/client.ts': ['./operations.ts'],
  'library/process.ts': ['../gate/machine.ts', '../kernel/store.ts', 'zod'],
  'modules.ts': ['./gate/operations.ts', './kernel/operation.ts'],
  'app/application.ts': ['../config/load.ts', '../modules.ts', '../store/engine.ts', '../surface/stdio.ts'],
  'daemon/projects.ts': ['../app/application.ts'],
  'command/init.ts': [
    '../daemon/projects.ts',
    '../setup/install.ts',
    '../graph/layout.ts',
    '../app/application.ts',
    '../hook/judge.ts',
    '../fleet/agents.ts',
  ],
  'cli.ts': ['./app/application.ts', './command/init.ts'],
};

const violations = [
  ['base-imports-nothing-of-ours', 'base/bad.ts', '../kernel/store.ts'],
  ['kernel-imports-base', 'kernel/bad.ts', '../gate/machine.ts'],
  ['machine-imports-base', 'machine/bad.ts', '../kernel/store.ts'],
  ['graph-imports-nothing-of-ours', 'graph/bad.ts', '../kernel/store.ts'],
  ['graph-imports-nothing-of-ours', 'graph/bad-zod.ts', 'zod'],
  ['foundations-import-kernel', 'protocol/bad.ts', '../surface/stdio.ts'],
  ['foundations-import-kernel', 'store/bad.ts', '../gate/index.ts'],
  ['foundations-import-kernel', 'user/bad.ts', '../app/application.ts'],
  ['foundations-import-kernel', 'journal/bad.ts', '../store/engine.ts'],
  ['foundations-import-kernel', 'notify/bad.ts', '../gate/index.ts'],
  ['config-imports-kernel', 'config/bad.ts', '../gate/index.ts'],
  ['config-imports-kernel', 'config/bad-sandbox.ts', '../sandbox/confine.ts'],
  ['surface-imports-kernel-and-protocol', 'surface/bad.ts', '../store/engine.ts'],
  ['gate-imports-kernel', 'gate/bad.ts', '../store/engine.ts'],
  ['gate-imports-kernel', 'gate/bad-index.ts', '../phase/index.ts'],
  ['change-imports-kernel-and-gate', 'change/bad.ts', '../fleet/index.ts'],
  ['change-imports-kernel-and-gate', 'change/bad-gate.ts', '../gate/machine.ts'],
  ['modules-import-kernel-and-gate', 'phase/bad.ts', '../gate/machine.ts'],
  ['modules-import-kernel-and-gate', 'phase/bad-change.ts', '../change/index.ts'],
  ['modules-import-kernel-and-gate', 'upstream/bad.ts', '../work/runner.ts'],
  ['fleet-imports-kernel-gate-and-change', 'fleet/bad.ts', '../phase/index.ts'],
  ['fleet-imports-kernel-gate-and-change', 'fleet/bad-tree.ts', '../change/tree.ts'],
  ['fleet-imports-kernel-gate-and-change', 'fleet/bad-surface.ts', '../surface/terminal/editor.ts'],
  ['work-imports-kernel-and-modules', 'work/bad.ts', '../fleet/agent/claude.ts'],
  ['work-imports-kernel-and-modules', 'work/bad-tree.ts', '../change/tree.ts'],
  ['work-imports-kernel-and-modules', 'work/bad-store.ts', '../store/engine.ts'],
  ['terminal-views-import-their-module', 'fleet/terminal/bad.ts', '../../work/runner.ts'],
  ['agents-import-kernel', 'fleet/agent/bad-host.ts', '../host/child.ts'],
  ['agents-import-kernel', 'fleet/agent/bad-zod.ts', 'zod'],
  ['agents-import-kernel', 'fleet/shape/bad-gate.ts', '../../gate/index.ts'],
  ['hook-imports-kernel-gate-and-agents', 'hook/bad.ts', '../gate/index.ts'],
  ['hook-imports-kernel-gate-and-agents', 'hook/bad-fleet.ts', '../fleet/index.ts'],
  ['hook-imports-kernel-gate-and-agents', 'hook/bad-config.ts', '../config/load.ts'],
  ['hook-imports-kernel-gate-and-agents', 'hook/bad-setup.ts', '../setup/install.ts'],
  ['sandbox-imports-no-surface', 'sandbox/bad.ts', '../surface/stdio.ts'],
  ['setup-imports-no-command', 'setup/bad.ts', '../command/init.ts'],
  ['app-and-daemon-import-no-command', 'app/bad-command.ts', '../command/init.ts'],
  ['library-imports-kernel-and-gate', 'library/bad.ts', '../store/engine.ts'],
  ['published-types-import-nothing', 'library/client.ts', '../kernel/store.ts'],
  ['entries-are-not-imported', 'app/bad.ts', '../cli.ts'],
  ['entries-are-not-imported', 'app/bad-library.ts', '../library/process.ts'],
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
