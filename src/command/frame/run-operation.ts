import { parseArgs } from 'node:util';
import { createApp } from '../../app/application.ts';
import { expandIdPrefix, expandIdPrefixes } from '../../app/expand-id-prefix.ts';
import { type CommandEntry, type Options, exitCode, exitCodeOf } from './command.ts';
import type { Config, Flags } from '../../config/load.ts';
import { configure } from '../../app/configure.ts';
import type { Context } from '../../kernel/context.ts';
import { invoke, refuseUnserved } from '../../kernel/invoke.ts';
import type { Operation, ConfirmationQuestion } from '../../kernel/operation.ts';
import type { JsonObject } from '../../base/json-object.ts';
import { Problem, isProblem, problem } from '../../kernel/problem.ts';
import type { Lang } from '../../kernel/text/text.ts';
import type { Toolset } from '../../kernel/toolset.ts';
import { loadCatalogue } from '../../app/catalogue.ts';
import { operationHelp, toolsetHelp } from '../../surface/terminal/operation-help.ts';
import { commandName, inputOf, optionsOf } from '../../surface/terminal/cli.ts';
import { failureEnvelope } from '../../surface/envelope.ts';
import { askAtTerminal } from '../../surface/terminal/question.ts';
import { renderOutput } from '../../surface/terminal/render.ts';
import { isForProgram, say } from '../../surface/terminal/print.ts';
import { type Screen, screenOf } from '../../surface/terminal/screen.ts';
import { renderProblem } from '../../surface/terminal/failure.ts';
import { commandsOf } from '../../surface/terminal/typed-command.ts';
import { keptConnection } from './kept-connection.ts';
import { nearestWord } from './unknown-command.ts';

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
  return performOperation(operation, inputOf(operation, values), flagsOf(values), settings);
}

/** Runs one operation from the command line: tables for a person, JSON for a program. */
export async function performOperation(
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
  flags: Flags,
  settings: {
    readonly json: boolean;
    readonly view?: View;
    readonly besides?: Besides;
    /** It lists what there is: a person is told that there is nothing, and why, where its toolset is switched off. */
    readonly isList?: boolean;
  },
): Promise<number> {
  const config = await configure(flags);
  const app = createApp({ ...config, logLevel: quieter(config) });
  const plain = isForProgram(settings.json);
  const refuse = async (refused: Problem): Promise<number> => {
    await tellRefusal(operation, refused, { lang: config.lang, plain });
    return exitCodeOf(refused);
  };
  try {
    const unserved = settings.isList === true && !plain ? refuseUnserved(app, operation) : undefined;
    if (unserved !== undefined) {
      say(`${unserved.in(config.lang)}\n`);
      return exitCode.ok;
    }
    const whole = await expandIdPrefixes(() => app.store(), input);
    const runId = flags.runId === undefined ? undefined : await expandIdPrefix(() => app.store(), flags.runId, 'run-');
    const connection = await keptConnection(app, operation.name === 'authenticate');
    const context = await app.context({ ...(runId !== undefined && { runId }), ...(connection && { connection }) });
    // Who is no person is refused anyway, and must not be asked first. Where there is no terminal, a token has said who it is.
    const asks = config.terminal && context.actor.person;
    const agreed = asks ? await ask(operation, context, whole) : whole;
    if (agreed === undefined) return exitCode.refused;
    if (agreed instanceof Problem) return await refuse(agreed);
    const answer = await invoke(app, context, operation, agreed);
    if (!answer.ok) return await refuse(answer.problem);
    const { view } = settings;
    const shown = plain || view === undefined ? answer.output : view(answer.output);
    const besides = await settings.besides?.(config);
    process.stdout.write(
      plain
        ? `${JSON.stringify({ ...shown, ...besides?.fields })}\n`
        : `${renderOutput(operation, await withTypedAdvice(operation, shown), screenOf(config.lang))}${besides?.text ?? ''}`,
    );
    return operation.fellShort?.(answer.output) === true ? exitCode.refused : exitCode.ok;
  } catch (error) {
    if (isProblem(error)) return await refuse(error);
    throw error;
  } finally {
    await app.close();
  }
}

/** Why an operation did not do what it was asked: a sentence for a person, the answer that it has for a program. */
export async function tellRefusal(
  operation: Operation,
  refused: Problem,
  { lang, plain }: { readonly lang: Lang; readonly plain: boolean },
): Promise<void> {
  const { body } = failureEnvelope(lang, operation, refused);
  if (plain) process.stdout.write(`${typeof body === 'string' ? body : JSON.stringify(body)}\n`);
  else {
    const { operations } = await loadCatalogue();
    process.stderr.write(renderProblem(refused, screenOf(lang), { operation, operations }));
  }
}

/** What a command tells besides the answer of its operation: to a program, and to a person. */
type Besides = (config: Config) => Promise<{ readonly fields: JsonObject; readonly text: string }>;

/** What of an answer a person wants to see. */
type View = (output: JsonObject) => JsonObject;

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

type Input = Readonly<Record<string, unknown>>;

/**
 * Shows what is about to be agreed to and asks. The input that does what was shown; undefined where the answer is no; a
 * problem where there is nothing that could be agreed to.
 */
async function ask(operation: Operation, context: Context, input: Input): Promise<Input | Problem | undefined> {
  const parsed = operation.input.safeParse(input);
  let question: ConfirmationQuestion<Input> | undefined;
  try {
    question = parsed.success ? await operation.confirm?.(context, parsed.data) : undefined;
  } catch (error) {
    if (isProblem(error)) return error;
    throw error;
  }
  if (question === undefined) return input;
  const agreed = await askAtTerminal(question.text, `${operation.name.replaceAll('_', ' ')}?`);
  return agreed ? question.input : undefined;
}

/** The operations of a toolset, and the commands that go by its name. */
async function offeredBy(toolset: string, operations: readonly Operation[], line: CommandLine): Promise<string> {
  const screen = await line.helpScreen();
  const typed = commandsOf(operations);
  const offered = operations.filter((one) => one.toolsets.some((each) => each === toolset));
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
