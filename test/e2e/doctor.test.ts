import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeWorld } from './world.ts';

test('a client counts as prepared if its files ask us, and one that cannot ask is named', async () => {
  const world = await makeWorld('stdio', 'sqlite');
  onTestFinished(() => world.close());
  const hooks = async () => {
    const { json } = await world.cli(['doctor', '--json']);
    const checks = json['checks'] as readonly { name: string; ok: boolean; found: string }[];
    return checks.find((one) => one.name === 'hooks');
  };
  await world.cli(['gate', 'create-run', '--process-id', 'explore-plan-implement-verify']);
  await world.cli(['init', '--client', 'opencode']);
  // Files of Claude Code and of Copilot, in which nobody is asked.
  writeFileSync(join(world.project, '.mcp.json'), '{}');
  expect(await hooks()).toMatchObject({
    ok: false,
    found: expect.stringMatching(/^none prepared, opencode has no hook/) as unknown,
  });
  await world.cli(['init', '--client', 'copilot']);
  expect(await hooks()).toMatchObject({ ok: true, found: expect.stringMatching(/^copilot prepared/) as unknown });
});
