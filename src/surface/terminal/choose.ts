import { isCancel, multiselect, select, text } from '@clack/prompts';
import { escapeControlCharacters } from './escape-control-characters.ts';
import { withTerminal } from './question.ts';

export interface Choice {
  readonly value: string;
  readonly hint?: string | undefined;
}

/** Questions with keys and a cursor. Undefined: the person does not want to go on (Ctrl-C, Esc). */
export function chooseSeveral(
  message: string,
  choices: readonly Choice[],
  chosen: readonly string[],
): Promise<readonly string[] | undefined> {
  return withTerminal(async (terminal) => {
    const options = choices.map(shown);
    const initialValues = [...chosen];
    // Its own instructions know one language only.
    const quiet = { showInstructions: false, required: false };
    return answered(
      await multiselect({ ...terminal, ...quiet, message: escapeControlCharacters(message), options, initialValues }),
    );
  });
}

export function chooseOne(message: string, choices: readonly Choice[], chosen: string): Promise<string | undefined> {
  return withTerminal(async (terminal) => {
    const options = choices.map(shown);
    const quiet = { showInstructions: false };
    return answered(
      await select({ ...terminal, ...quiet, message: escapeControlCharacters(message), options, initialValue: chosen }),
    );
  });
}

/** `wrong` says what is wrong with what was typed. */
export function typeLine(
  message: string,
  given: string,
  wrong: (typed: string) => string | undefined,
): Promise<string | undefined> {
  return withTerminal(async (terminal) => {
    const validate = (typed: string | undefined) => wrong(typed ?? '');
    return answered(
      await text({ ...terminal, message: escapeControlCharacters(message), initialValue: given, validate }),
    );
  });
}

function answered<T>(answer: T): Exclude<T, symbol> | undefined {
  return isCancel(answer) ? undefined : (answer as Exclude<T, symbol>);
}

function shown({ value, hint }: Choice) {
  return {
    value,
    label: escapeControlCharacters(value),
    ...(hint !== undefined && { hint: escapeControlCharacters(hint) }),
  };
}
