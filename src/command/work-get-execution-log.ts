import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp } from '../app.ts';
import type { Command } from '../command.ts';
import { exitCode } from '../command.ts';
import { loadConfig } from '../config.ts';
import { performOperation } from '../run-operation.ts';
import { getExecutionLog } from '../work/operation/get-execution-log.ts';

const lookMs = 200;
const chunkBytes = 65_536;

export const workGetExecutionLog: Command = {
  options: { 'execution-id': { type: 'string' }, follow: { type: 'boolean', short: 'f' } },
  usage: 'sekisho work get-execution-log --execution-id exec_… [--follow]',
  examples: ['sekisho work get-execution-log --execution-id exec_… --follow'],
  async run({ flags, json, options, positionals }) {
    const id = options['execution-id'] ?? positionals[0];
    const input = { execution_id: id };
    if (options['follow'] !== true || typeof id !== 'string')
      return performOperation(getExecutionLog, input, flags, { json, yes: false });
    const app = createApp(await loadConfig(flags));
    try {
      const context = await app.context({});
      let file: number | undefined;
      for (;;) {
        const { log } = (await getExecutionLog.run(context, input)) as {
          log: { logFilePath: string | null; status: string };
        };
        const path = log.logFilePath;
        if (file === undefined && path !== null && existsSync(path)) file = openSync(path, 'r');
        if (file !== undefined) copy(file);
        // Looked at before the copy: what was written until it ended has been copied.
        if (log.status !== 'running') {
          if (file !== undefined) closeSync(file);
          else process.stderr.write(`${path ?? 'It has no log'} is not on this machine\n`);
          return exitCode.ok;
        }
        await sleep(lookMs);
      }
    } finally {
      await app.close();
    }
  },
};

function copy(file: number): void {
  const buffer = Buffer.allocUnsafe(chunkBytes);
  for (let size = readSync(file, buffer); size > 0; size = readSync(file, buffer))
    process.stdout.write(Buffer.from(buffer.subarray(0, size)));
}
