import type { Operation } from '../../kernel/operation.ts';
import { commandName, flagName } from './cli.ts';

/** Rewrites a text about tools and arguments into commands and flags. */
export type TypedCommands = (text: string) => string;

type Named = Pick<Operation, 'name' | 'toolsets' | 'input'>;

/** Where a name begins that is no part of a path, a quotation or a longer name. */
const name = /(?<![\w./"'`-])[A-Za-z]+(?:[_.][A-Za-z]+)*(?![\w(])/g;

/** `state_gate.list_runs` becomes `sekisho gate list-runs`, arguments become flags. A name of one word stays. */
export function commandsOf(operations: readonly Named[], asked?: Named): TypedCommands {
  const words = new Map<string, string>();
  for (const one of operations.filter((each) => each.name.includes('_'))) {
    const toolset = one.toolsets.find((each) => asked?.toolsets.includes(each) === true) ?? one.toolsets[0];
    const line = `sekisho ${toolset} ${commandName(one)}`;
    words.set(one.name, line).set(one.name.split('.').at(-1) ?? one.name, line);
  }
  for (const field of Object.keys(asked?.input.shape ?? {}))
    if (/_|[a-z][A-Z]/.test(field)) words.set(field, `--${flagName(field)}`);
  return (text) => text.replaceAll(name, (found) => words.get(found) ?? found);
}
