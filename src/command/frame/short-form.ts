import type { Context } from '../../kernel/context.ts';
import type { Operation } from '../../kernel/operation.ts';
import type { JsonObject } from '../../base/json-object.ts';
import { inputOf, optionsOf } from '../../surface/terminal/cli.ts';
import type { Command, Invocation } from './command.ts';
import { performOperation } from './run-operation.ts';

interface ShortForm {
  readonly operation: Operation;
  readonly usage: string;
  readonly examples: Command['examples'];
  /** What of the answer a person wants to see. */
  readonly view?: (output: JsonObject, context: Context) => JsonObject | Promise<JsonObject>;
  /** What the words mean, beside the operation's own flags. */
  readonly words: (line: Invocation) => JsonObject;
}

/** A list by the words that people type, with all flags of its operation. */
export function shortForm({ operation, usage, examples, view, words }: ShortForm): Command {
  return {
    options: optionsOf(operation),
    usage,
    examples,
    async run(line) {
      const input = { ...inputOf(operation, line.options), ...words(line) };
      return performOperation(operation, input, line.flags, { json: line.json, isList: true, ...(view && { view }) });
    },
  };
}
