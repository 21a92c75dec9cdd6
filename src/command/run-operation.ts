import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { createApp } from '../app/application.ts';
import type { CommandEntry, Options } from './command.ts';
import { exitCode, exitCodeOf } from './command.ts';
import type { Flags } from '../config/load.ts';
import { configure } from '../app/configure.ts';
import type { Context } from '../kernel/context.ts';
import { invoke } from '../kernel/invoke.ts';
import type { Operation } from '../kernel/operation.ts';
import { Problem, isProblem } from '../kernel/problem.ts';
import { isPersonal } from '../kernel/role.ts';
import type { Toolset } from '../kernel/toolset.ts';
import { loadCatalogue } from '../app/catalogue.ts';
import { commandName, helpOf, inputOf, optionsOf } from '../surface/terminal/cli.ts';
import { failure } from '../surface/envelope.ts';
import { renderAnswer } from '../surface/terminal/render.ts';
import { style } from '../surface/terminal/style.ts';
import { nearest } from './unknown-command.ts';
import { problem } from '../kernel/problem.ts';

/** What the entry knows of the command line. */
export interface CommandLine {
  readonly globals: Options;
  readonly flagsOf: (values: Readonly<Record<string, unknown>>) => Flags;
  readonly commands: readonly Pick<CommandEntry, 'name' | 'summary'>[];
}

/** `sekisho <toolset> <operation> [flags]`, for every operation there is. */
export async function runOperation(toolset: Toolset, args: readonly string[], line: CommandLine): Promise<number> {
  const { globals, flagsOf } = line;
  const offered = (await loadCatalogue()).operations.filter((one) => one.toolsets.includes(toolset));
  const at = args.findIndex((word) => offered.some((one) => commandName(one) === word));
  const operation = offered.find((one) => commandName(one) === args[at]);
  if (operation === undefined) {
    const word = args.find((one) => !one.startsWith('-'));
    if (word !== undefined)
      throw problem.UNKNOWN_COMMAND({
        command: `${toolset} ${word}`,
        suggestion: nearest(word, offered.map(commandName), `${toolset} `),
      });
    process.stdout.write(toolsetHelp(toolset, offered, line.commands));
    return args.includes('--help') || args.includes('-h') ? exitCode.ok : exitCode.usage;
  }
  const rest = args.filter((_, index) => index !== at);
  const options: Options = { ...globals, yes: { type: 'boolean', short: 'y' }, ...optionsOf(operation) };
  const { values } = parseArgs({ args: rest, options, allowPositionals: false });
  if (values['help'] === true) {
    process.stdout.write(helpOf(toolset, operation));
    return exitCode.ok;
  }
  const settings = { json: values['json'] === true, yes: values['yes'] === true };
  return performOperation(operation, inputOf(operation, values), flagsOf(values), settings);
}

/** Runs one operation for whoever sits at the command line: tables for a person, JSON for a program. */
export async function performOperation(
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
  flags: Flags,
  settings: { readonly json: boolean; readonly yes: boolean },
): Promise<number> {
  const config = await configure(flags);
  const app = createApp(config);
  const plain = settings.json || !process.stdout.isTTY;
  const refuse = (refused: Problem): number => {
    const { code, message, body } = failure(config.lang, operation, refused);
    if (plain) process.stdout.write(`${typeof body === 'string' ? body : JSON.stringify(body)}\n`);
    else process.stderr.write(`${style.red(code)} ${message}\n${details(refused)}`);
    return exitCodeOf(refused);
  };
  try {
    const context = await app.context({});
    // Who is no person is refused anyway, and must not be asked first.
    const asks = !settings.yes && config.interactive && isPersonal(context.actor.role);
    const agreed = asks ? await ask(operation, context, input) : input;
    if (agreed === undefined) return exitCode.refused;
    const answer = await invoke(app, context, operation, agreed);
    if (!answer.ok) return refuse(answer.problem);
    const text = operation.present?.(answer.output).text;
    process.stdout.write(
      plain ? `${JSON.stringify(answer.output)}\n` : text === undefined ? renderAnswer(answer.output) : `${text}\n`,
    );
    return exitCode.ok;
  } catch (error) {
    if (isProblem(error)) return refuse(error);
    throw error;
  } finally {
    await app.close();
  }
}

type Input = Readonly<Record<string, unknown>>;

/** Shows what is about to be agreed to and asks. The input that does what was shown; undefined where the answer is no. */
async function ask(operation: Operation, context: Context, input: Input): Promise<Input | undefined> {
  const parsed = operation.input.safeParse(input);
  const question = parsed.success ? await operation.confirm?.(context, parsed.data) : undefined;
  if (question === undefined) return input;
  process.stdout.write(`${harmless(question.text)}\n`);
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = await lines.question(`${operation.name.replaceAll('_', ' ')}? [y/N] `);
    return /^(y|yes|はい)$/i.test(answer.trim()) ? question.input : undefined;
  } finally {
    lines.close();
  }
}

/** A file's name may hold sequences that hide or fake lines of a terminal. */
function harmless(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F]/g, '\uFFFD');
}

function details(refused: Problem): string {
  return refused.details === undefined ? '' : renderAnswer(refused.details);
}

function toolsetHelp(toolset: string, operations: readonly Operation[], commands: CommandLine['commands']): string {
  const own = commands.filter((one) => one.name.startsWith(`${toolset} `));
  const rows = [
    ...operations.map((one) => [commandName(one), one.summary] as const),
    ...own.map((one) => [one.name.slice(toolset.length + 1), one.summary] as const),
  ];
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  const lines = rows.map(([name, summary]) => `  ${name.padEnd(width)}  ${summary}`);
  return `Usage: sekisho ${toolset} <operation> [flags]\n\n${lines.join('\n')}\n\nsekisho ${toolset} <operation> --help shows its flags.\n`;
}
