import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeWorld } from './world.ts';

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly found: string;
  readonly remedy?: string;
}

test('a run without any client that asks is named, and a client counts if its files ask us', async () => {
  const world = await makeWorld('stdio', 'sqlite');
  onTestFinished(() => world.close());
  const check = async (name: string) => {
    const { json } = await world.cli(['doctor', '--json']);
    return (json['checks'] as readonly Check[]).find((one) => one.name === name);
  };
  await world.cli(['gate', 'create-run', '--process-id', 'explore-plan-implement-verify']);
  // Files of Claude Code and of Copilot, in which nobody is asked.
  writeFileSync(join(world.project, '.mcp.json'), '{}');
  expect(await check('hooks')).toMatchObject({ ok: false, remedy: expect.stringContaining('sekisho init') as unknown });
  await world.cli(['init', '--client', 'copilot']);
  expect(await check('hooks')).toBeUndefined();
  expect(await check('copilot hooks')).toMatchObject({ ok: true });
});
