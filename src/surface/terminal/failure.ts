import type { Operation } from '../../kernel/operation.ts';
import { type Problem, problem } from '../../kernel/problem.ts';
import { failureBody } from '../envelope.ts';
import { withShortIds } from './cell.ts';
import { describeInFlags } from './command-words.ts';
import { wrap } from './fit.ts';
import { escapeControlCharacters } from './escape-control-characters.ts';
import { renderAnswer } from './render.ts';
import type { Screen } from './screen.ts';
import { style } from './style.ts';
import { commandsOf } from './typed-command.ts';

export interface Asked {
  readonly operation?: Operation;
  readonly operations: readonly Operation[];
}

/** One sentence, what else is known of it, and what to do next, in the words of the command line. */
export function renderProblem(refused: Problem, screen: Screen, { operation, operations }: Asked): string {
  const said = operation === undefined ? undefined : describeInFlags(operation, refused, screen.lang);
  if (said !== undefined) return said.map((line) => renderRefusal(line, screen)).join('');
  const { next_step: next, ...rest } = refused.details ?? {};
  const more = Object.keys(rest).length === 0 ? '' : renderAnswer(rest, screen);
  const typed = commandsOf(operations, operation);
  const step = typeof next === 'string' ? marked('→', typed(next), screen) : '';
  return `${renderRefusal(typed(sentenceOf(refused, screen, operation)), screen)}${more}${step}`;
}

export function renderRefusal(text: string, screen: Screen): string {
  return marked(style.red('✗'), text, screen);
}

/** A mistyped command line is shown without an error code. */
const typed = [problem.UNKNOWN_COMMAND, problem.WRONG_USE, problem.PROGRAM_MISSING];

function sentenceOf(refused: Problem, { lang }: Screen, operation: Operation | undefined): string {
  const { code, message } = failureBody(lang, refused, operation);
  return typed.some((one) => one.is(refused)) ? message : `${code}: ${message}`;
}

function marked(mark: string, text: string, screen: Screen): string {
  return wrap(withShortIds(escapeControlCharacters(text), screen), screen.width - 2)
    .map((line, at) => `${at === 0 ? mark : ' '} ${line}\n`)
    .join('');
}
