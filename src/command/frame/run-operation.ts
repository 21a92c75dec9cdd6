import { parseArgs } from 'node:util';
import { createApp } from '../../app/application.ts';
import { expandId, expandIds } from '../../app/short-id.ts';
import { type CommandEntry, type Options, exitCode } from './command.ts';
import type { Config, Flags } from '../../config/load.ts';
import { configure } from '../../app/configure.ts';
import type { Context } from '../../kernel/context.ts';
import { invoke, refuseUnserved } from '../../kernel/invoke.ts';
import type { Operation } from '../../kernel/operation.ts';
import type { JsonObject } from '../../base/json-object.ts';
import { isProblem, problem } from '../../kernel/problem.ts';
import type { Toolset } from '../../kernel/toolset.ts';
import { loadCatalogue } from '../../app/catalogue.ts';
import { helpText } from '../../surface/terminal/help-text.ts';
import { operationHelp, toolsetHelp } from '../../surface/terminal/operation-help.ts';
import { commandName, inputOf, optionsOf } from '../../surface/terminal/cli.ts';
import { askAtTerminal } from '../../surface/terminal/question.ts';
import { renderOutput } from '../../surface/terminal/render.ts';
import { printJson, say, sayAside } from '../../surface/terminal/print.ts';
import { type Screen, screenOf } from '../../surface/terminal/screen.ts';
import { commandsOf } from '../../surface/terminal/typed-command.ts';
import { keptConnection } from './kept-connection.ts';
import { tellFailure } from './tell-failure.ts';
import { nearestWord } from './unknown-command.ts';
import { screenFor } from './with-app.ts';

/** What the entry knows of the command line. */
export interface CommandLine {
  readonly globals: Options;
  readonly flagsOf: (values: Readonly<Record<string, unknown>>) => Flags;
  readonly commands: readonly CommandEntry[];
  readonly helpScreen: () => Promise<Screen>;
}

/** `sekisho <toolset> <operation> [flags]`, for every operation there is. */
export async function runOperation(toolset: Toolset, args: readonly string[], line: CommandLine): Promise<number> {
  const { globals, flagsOf } = line;
  const { operations } = await loadCatalogue();
  const offered = operations.filter((one) => one.toolsets.includes(toolset));
  const at = args.findIndex((word) => offered.some((one) => commandName(one) === word));
  const operation = offered.find((one) => commandName(one) === args[at]);
  if (operation === undefined) {
    const word = args.find((one) => !one.startsWith('-'));
    if (word !== undefined)
      throw problem.UNKNOWN_COMMAND({
        command: `${toolset} ${word}`,
        suggestion: nearestWord(word, offered.map(commandName), `${toolset} `),
      });
    process.stdout.write(await offeredBy(toolset, operations, line));
    return args.includes('--help') || args.includes('-h') ? exitCode.ok : exitCode.usage;
  }
  const rest = args.filter((_, index) => index !== at);
  const options: Options = { ...globals, ...optionsOf(operation) };
  const { values } = parseArgs({ args: rest, options, allowPositionals: false });
  if (values['help'] === true) {
    process.stdout.write(operationHelp(toolset, operation, operations, await line.helpScreen()));
    return exitCode.ok;
  }
  const settings = { json: values['json'] === true };
  if (operation.replacedBy !== undefined) {
    const use = `sekisho ${toolset} ${commandName({ name: operation.replacedBy })}`;
    sayAside(`${helpText.replaced({ use })((await line.helpScreen()).lang)}\n`);
  }
  return performOperation(operation, inputOf(operation, values), flagsOf(values), settings);
}

/** Runs one operation from the command line: words and tables for a person, with `--json` exactly its answer. */
export async function performOperation(
  operation: Operation,
  input: Input,
  flags: Flags,
  settings: {
    readonly json: boolean;
    readonly view?: View;
    /** What a person is told below the answer. */
    readonly besides?: (config: Config) => Promise<string>;
    /** It lists what there is: a person is told that there is nothing, and why, where its toolset is switched off. */
    readonly isList?: boolean;
    /** Completes the input, for a command that fills in what a person does not type. */
    readonly complete?: (context: Context, input: Input) => Promise<Input>;
  },
): Promise<number> {
  const { json, view, besides, isList, complete } = settings;
  const config = await configure(flags);
  const app = createApp({ ...config, logLevel: quieter(config) });
  try {
    const unserved = isList === true && !json ? refuseUnserved(app, operation) : undefined;
    if (unserved !== undefined) {
      say(`${unserved.in(config.lang)}\n`);
      return exitCode.ok;
    }
    const whole = await expandIds(() => app.store(), input);
    const runId = flags.runId === undefined ? undefined : await expandId(() => app.store(), flags.runId, 'run-');
    const connection = await keptConnection(app, operation.name === 'authenticate');
    const context = await app.context({ ...(runId !== undefined && { runId }), ...(connection && { connection }) });
    const full = complete === undefined ? whole : await complete(context, whole);
    // Who is no person is refused anyway, and must not be asked first. Where there is no terminal, a token has said who it is.
    const agreed = config.terminal && context.actor.person ? await ask(operation, context, full) : full;
    if (agreed === undefined) return exitCode.refused;
    const answer = await invoke(app, context, operation, agreed);
    if (!answer.ok) throw answer.problem;
    if (json) printJson(answer.output);
    else {
      const shown = await withTypedAdvice(
        operation,
        view === undefined ? answer.output : await view(answer.output, context),
      );
      const screen = await screenFor(app, shown);
      process.stdout.write(`${renderOutput(operation, shown, screen)}${(await besides?.(config)) ?? ''}`);
    }
    return operation.fellShort?.(answer.output) === true ? exitCode.refused : exitCode.ok;
  } catch (error) {
    if (!isProblem(error)) throw error;
    const said = [error.in(config.lang), error.details];
    const screen = await screenFor(app, said, process.stderr).catch(() => screenOf(config.lang, process.stderr));
    return await tellFailure(error, { json, screen, operation });
  } finally {
    await app.close();
  }
}

type Input = Readonly<Record<string, unknown>>;

/** What of an answer a person wants to see. */
type View = (output: JsonObject, context: Context) => JsonObject | Promise<JsonObject>;

/** Fields that say what to do next. All others may hold what somebody else has written. */
const advice = ['instruction', 'next_step'];

async function withTypedAdvice(operation: Operation, output: JsonObject): Promise<JsonObject> {
  const given = advice.filter((field) => typeof output[field] === 'string');
  if (given.length === 0) return output;
  const typed = commandsOf((await loadCatalogue()).operations, operation);
  return { ...output, ...Object.fromEntries(given.map((field) => [field, typed(String(output[field]))])) };
}

/** A command logs nothing below warnings, unless the user names a level. */
function quieter({ logLevel, environment }: Config): number {
  return environment['LOG_LEVEL'] === undefined ? Math.min(logLevel, 1) : logLevel;
}

/** Shows what is about to be agreed to and asks. The input that does what was shown; undefined where the answer is no. */
async function ask(operation: Operation, context: Context, input: Input): Promise<Input | undefined> {
  const parsed = operation.input.safeParse(input);
  const question = parsed.success ? await operation.confirm?.(context, parsed.data) : undefined;
  if (question === undefined) return input;
  const agreed = await askAtTerminal(question.text, `${operation.name.replaceAll('_', ' ')}?`);
  return agreed ? question.input : undefined;
}

/** The operations of a toolset, and the commands that go by its name. */
async function offeredBy(toolset: string, operations: readonly Operation[], line: CommandLine): Promise<string> {
  const screen = await line.helpScreen();
  const typed = commandsOf(operations);
  const offered = operations.filter(
    (one) => one.replacedBy === undefined && one.toolsets.some((each) => each === toolset),
  );
  const own = line.commands.filter((one) => one.name.startsWith(`${toolset} `));
  return toolsetHelp(
    toolset,
    [
      ...offered.map((one) => [commandName(one), typed(one.summary[screen.lang])] as const),
      ...own.map((one) => [one.name.slice(toolset.length + 1), one.summary[screen.lang]] as const),
    ],
    screen,
  );
}
