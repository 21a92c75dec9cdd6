import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { until } from '../setup/until.ts';
import { initializeParams, rawServer } from './raw.ts';
import { requires } from './requirements.ts';
import { type World, inOneWorld } from './world.ts';
import { databases } from '../setup/databases.ts';

const fixture = join(import.meta.dirname, '../fixtures/processes/loop.yaml');
const kills = Number(process.env['SEKISHO_TEST_KILLS'] ?? 20);

/** Emits one event after the other over stdio until the server is killed, and returns the ids that it acknowledged. */
async function writeUntilKilled(world: World, run: string, from: number, afterMs: number): Promise<readonly string[]> {
  const server = await rawServer(world);
  const acknowledged: string[] = [];
  let gone = false;
  const died = new Promise<void>((done) =>
    server.process.once('exit', () => {
      gone = true;
      done();
    }),
  );
  await server.request('initialize', initializeParams('2025-11-25'));
  server.notify('notifications/initialized');
  const write = async () => {
    for (let revision = from; !gone; revision++) {
      const { result } = await server.request('tools/call', {
        name: 'state_gate.emit_event',
        arguments: {
          run_id: run,
          event_name: 'turn',
          payload: { n: revision },
          expected_revision: revision,
          idempotency_key: `${from}-${revision}`,
        },
      });
      if (result.isError === true) {
        const { error } = JSON.parse(result.content[0].text) as { error: { code: string } };
        // PostgreSQL finishes what the server before had sent when it was killed, maybe only now.
        if (error.code === 'REVISION_CONFLICT' && acknowledged.length === 0) continue;
        throw new Error(JSON.stringify(result));
      }
      acknowledged.push(String(result.structuredContent.result.event_id));
    }
  };
  const writing = write();
  // The first answer is awaited, so that the kill falls into the writing and not into the start.
  await Promise.race([until('the first answer', () => acknowledged.length > 0 || gone), writing]);
  // Somewhere in the middle of a later one.
  await pause(afterMs);
  server.process.kill('SIGKILL');
  await died;
  return acknowledged;
}

async function history(world: World, run: string): Promise<readonly { event_id: string; revision: number }[]> {
  const events: { event_id: string; revision: number }[] = [];
  for (let cursor: string | undefined; ;) {
    const { value } = await world.call('state_gate.get_history', {
      run_id: run,
      limit: 500,
      ...(cursor && { cursor }),
    });
    events.push(...(value['events'] as typeof events));
    cursor = value['next_cursor'] as string | undefined;
    if (cursor === undefined) return events;
  }
}

describe.each(databases)('a server that is killed while it writes (%s)', (database) => {
  inOneWorld('stdio', database, (test) => {
    test(requires('gate.emit.durable'), { timeout: 300_000 + kills * 10_000 }, async ({ world }) => {
      copyFileSync(fixture, join(world.project, '.sekisho/processes/loop.yaml'));
      const created = await world.call('state_gate.create_run', { process_id: 'loop' });
      const run = String(created.value['run_id']);
      const acknowledged: string[] = [];
      for (let kill = 0; kill < kills; kill++) {
        const { value } = await world.call('state_gate.get_state', { run_id: run });
        acknowledged.push(...(await writeUntilKilled(world, run, Number(value['revision']), (kill * 7) % 40)));
      }
      expect(acknowledged.length).toBeGreaterThanOrEqual(kills);
      // PostgreSQL may be about to finish what the last one had sent: nothing comes any more when both say the same.
      const { events, value } = await until(
        'the run is as old as its history is long',
        async () => ({
          events: await history(world, run),
          value: (await world.call('state_gate.get_state', { run_id: run })).value,
        }),
        (found) => found.value['revision'] === found.events.length,
      );
      const kept = new Set(events.map((one) => one.event_id));
      expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
      // At most one event of each killed server was written and not answered.
      expect(events.length - acknowledged.length).toBeLessThanOrEqual(kills);
      expect(events.map((one) => one.revision)).toEqual(events.map((_, index) => index + 1));
      expect(value['revision']).toBe(events.length);
      const verified = await world.cli(['journal', 'verify', '--json']);
      expect(verified.json).toMatchObject({ ok: true, faults: [] });
    });
  });
});
