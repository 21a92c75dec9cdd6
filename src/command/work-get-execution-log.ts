import { closeSync, existsSync, openSync, readSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expandId } from '../app/short-id.ts';
import { type Command, exitCode } from './frame/command.ts';
import { withApp } from './frame/with-app.ts';
import { performOperation } from './frame/run-operation.ts';
import { getExecutionLog } from '../work/operation/get-execution-log.ts';
import { type Sentence, sentence } from '../kernel/text/text.ts';

const lookMs = 200;
const chunkBytes = 65_536;

export const workGetExecutionLog: Command = {
  options: { 'execution-id': { type: 'string' }, follow: { type: 'boolean', short: 'f' } },
  usage: 'sekisho work get-execution-log --execution-id exec_… [--follow]',
  examples: ['sekisho work get-execution-log --execution-id exec_… --follow'],
  async run({ flags, json, options, positionals }) {
    const id = options['execution-id'] ?? positionals[0];
    if (options['follow'] !== true || typeof id !== 'string')
      return performOperation(getExecutionLog, { execution_id: id }, flags, { json });
    return withApp(flags, async (app) => {
      const context = await app.context({});
      const input = { execution_id: await expandId(() => app.store(), id, 'exec_') };
      const tail = createTail();
      for (;;) {
        const { log } = await getExecutionLog.run(context, input);
        if (log.logFilePath !== null) tail.copy(log.logFilePath);
        // The status was read before the copy, so the copy has everything up to the end.
        if (log.status !== 'running') {
          if (!tail.found()) process.stderr.write(`${context.say(notHere(log.logFilePath))}\n`);
          return exitCode.ok;
        }
        await sleep(lookMs);
      }
    });
  },
};

/** Copies new output to stdout, and follows a rotated log from file to file. */
function createTail() {
  let name: string | undefined;
  let file: number | undefined;
  const open = (path: string) => {
    file = openSync(path, 'r');
    name = basename(path);
  };
  return {
    found: () => file !== undefined,
    copy(first: string): void {
      if (file === undefined && existsSync(first)) open(first);
      while (file !== undefined) {
        drain(file);
        const folder = dirname(first);
        const next = readdirSync(folder)
          .filter((one) => /^output-\d+\.log$/.test(one) && /^output-\d+\.log$/.test(name ?? '') && one > (name ?? ''))
          .toSorted()[0];
        if (next === undefined) return;
        closeSync(file);
        open(join(folder, next));
      }
    },
  };
}

function drain(file: number): void {
  const buffer = Buffer.allocUnsafe(chunkBytes);
  for (let size = readSync(file, buffer); size > 0; size = readSync(file, buffer))
    process.stdout.write(Buffer.from(buffer.subarray(0, size)));
}

function notHere(path: string | null): Sentence {
  return sentence(
    {
      en: (file: string | null) => `${file ?? 'A log'} is not on this machine`,
      ja: (file) => `${file ?? 'ログ'} はこのマシンにありません`,
    },
    path,
  );
}
