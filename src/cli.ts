import { parseArgs } from 'node:util';
import { type Options, exitCode } from './command/frame/command.ts';
import { commandGroups, commands } from './command/commands.ts';
import type { Flags } from './config/load.ts';
import { refusal } from './kernel/problem.ts';
import type { Lang } from './kernel/text/text.ts';
import type { Screen } from './surface/terminal/screen.ts';
import { isToolset, toolsets } from './kernel/toolset.ts';

/** The global flags, which every command accepts. */
const globals: Options = {
  db: { type: 'string' },
  role: { type: 'string' },
  toolsets: { type: 'string' },
  lang: { type: 'string' },
  project: { type: 'string' },
  'run-id': { type: 'string' },
  json: { type: 'boolean' },
  'no-color': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
};

/** Whether the command line asks for JSON, once it is read: what follows the name of a program is not ours. */
const asked: { json?: boolean } = {};

async function main(args: readonly string[]): Promise<number | undefined> {
  const at = commandIndex(args);
  const name = at < 0 ? undefined : args[at];
  const rest = at < 0 ? [...args] : [...args.slice(0, at), ...args.slice(at + 1)];
  if (name === undefined) {
    const { values } = parseArgs({ args: [...rest], options: globals, allowPositionals: true });
    if (values['version'] === true) {
      process.stdout.write(`${(await import('./base/version.ts')).version}\n`);
      return exitCode.ok;
    }
    if (values['help'] !== true) {
      await refuseInside();
      const { whereAmI } = await import('./command/status.ts');
      return whereAmI({
        flags: flagsOf(values),
        json: values['json'] === true,
        options: {},
        positionals: [],
        commands,
      });
    }
    const { mainHelp } = await import('./command/frame/help.ts');
    process.stdout.write(mainHelp(commandGroups, await helpScreen()));
    return exitCode.ok;
  }
  // `help gate lint` is `gate lint --help`.
  if (name === 'help') return main([...rest, '--help']);
  if (!openInside.includes(name)) await refuseInside();
  // `gate lint` is a command, `gate get-state` an operation.
  const nextAt = commandIndex(rest);
  const next = rest[nextAt];
  const pair = commands.find((one) => one.name === `${name} ${next}`);
  if (pair !== undefined) rest.splice(nextAt, 1);
  const known = pair ?? commands.find((one) => one.name === name);
  if (known !== undefined) {
    const command = await known.load();
    // A command that passes arguments on has its own flags before the first word; the rest belongs to the other program.
    const own = command.passesOn === true ? wordIndex(rest, { ...globals, ...command.options }) : rest.length;
    const passed = rest.slice(own);
    const { values, positionals } = parseArgs({
      args: rest.slice(0, own),
      options: { ...globals, ...command.options },
      allowPositionals: true,
    });
    asked.json = values['json'] === true;
    if (values['help'] === true) {
      const { commandHelp } = await import('./command/frame/help.ts');
      process.stdout.write(commandHelp(known, command, await helpScreen()));
      return exitCode.ok;
    }
    return command.run({
      flags: flagsOf(values),
      json: asked.json,
      options: values,
      positionals: command.passesOn === true ? passed : positionals,
      commands,
    });
  }
  if (!isToolset(name)) {
    const { unknownCommand } = await import('./command/frame/unknown-command.ts');
    throw unknownCommand(name, [...commands.map((one) => one.name), ...toolsets]);
  }
  return (await import('./command/frame/run-operation.ts')).runOperation(name, rest, {
    globals,
    flagsOf,
    commands,
    helpScreen,
  });
}

const openInside: readonly string[] = ['mcp', 'hook'];

/** Refuses a command inside a sandbox, which has no database and no person's terminal. */
async function refuseInside(): Promise<void> {
  const [{ socketInside }, { readHookSurroundings }] = await Promise.all([
    import('./sandbox/socket.ts'),
    import('./config/load.ts'),
  ]);
  if (socketInside(readHookSurroundings().env) !== undefined) throw refusal.inside();
}

/** The index of the first word that is neither a flag nor a flag's value; -1 if there is none. */
function commandIndex(args: readonly string[]): number {
  const found = wordIndex(args, globals);
  return found < args.length && args[found] !== '--' ? found : -1;
}

/** The index of the first word or `--`, after flags and their values; the length if there is none. */
function wordIndex(args: readonly string[], options: Options): number {
  for (let index = 0; index < args.length; index++) {
    const word = args[index] ?? '';
    if (word === '--' || !word.startsWith('-')) return index;
    if (!word.includes('=') && options[word.replace(/^--/, '')]?.type === 'string') index++;
  }
  return args.length;
}

function flagsOf(values: Readonly<Record<string, unknown>>): Flags {
  const flags: Record<string, string> = {};
  for (const [flag, key] of [
    ['db', 'db'],
    ['role', 'role'],
    ['toolsets', 'toolsets'],
    ['lang', 'lang'],
    ['project', 'project'],
    ['run-id', 'runId'],
    ['host', 'host'],
    ['port', 'port'],
  ] as const) {
    const value = values[flag];
    if (typeof value === 'string') flags[key] = value;
  }
  return flags;
}

async function readLang(): Promise<Lang> {
  return (await import('./app/spoken-lang.ts')).spokenLang(process.argv);
}

async function helpScreen(): Promise<Screen> {
  const [{ screenOf }, lang] = await Promise.all([import('./surface/terminal/screen.ts'), readLang()]);
  return screenOf(lang);
}

async function fail(error: unknown): Promise<number> {
  const { tellFailure } = await import('./command/frame/tell-failure.ts');
  const { screenOf } = await import('./surface/terminal/screen.ts');
  const json = asked.json ?? process.argv.includes('--json');
  return tellFailure(error, { json, screen: screenOf(await readLang(), process.stderr) });
}

// The reader of our output may close the pipe at any line. A command that must clean up first has its own listener.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (process.stdout.listenerCount('error') > 1) return;
  if (error.code === 'EPIPE') process.exit(exitCode.ok);
  throw error;
});

main(process.argv.slice(2))
  .catch(fail)
  .then((code) => {
    // Set instead of calling process.exit: output to a pipe must still be flushed.
    if (code !== undefined) process.exitCode = code;
  })
  .catch(() => {
    process.exitCode = exitCode.internal;
  });
