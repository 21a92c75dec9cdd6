import { type AST, ParseError, getStaticTOMLValue, parseTOML } from 'toml-eslint-parser';
import { problem as kernelProblem } from '../kernel/problem.ts';

export type KeyPath = readonly (string | number)[];

export interface TomlEntry {
  readonly path: KeyPath;
  readonly node: AST.TOMLKeyValue;
  readonly inline: AST.TOMLInlineTable | undefined;
}

export interface TomlDocument {
  readonly value: unknown;
  readonly entries: readonly TomlEntry[];
  readonly tables: readonly AST.TOMLTable[];
}

/** Parses a client's file as TOML 1.1, which is a superset of 1.0. */
export function readToml(path: string, text: string): TomlDocument {
  try {
    const program = parseTOML(text, { tomlVersion: '1.1' });
    const { body } = program.body[0];
    return {
      value: getStaticTOMLValue(program),
      entries: body.flatMap((one) =>
        one.type === 'TOMLTable'
          ? one.body.flatMap((each) => entriesOf(each, one.resolvedKey, undefined))
          : entriesOf(one, [], undefined),
      ),
      tables: body.filter((one) => one.type === 'TOMLTable'),
    };
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    const at = `${error.lineNumber}: ${error.message}`;
    throw kernelProblem.BAD_CONFIGURATION({
      file: path,
      reason: {
        en: `it is not valid TOML, so nothing was changed (line ${at})`,
        ja: `TOML として正しくないため、何も変更していません (行 ${at})`,
      },
    });
  }
}

/** The keys of a table's name, as written between brackets. */
export function keyPathOf(table: string): KeyPath {
  return readToml(table, `[${table}]`).tables[0]?.resolvedKey ?? [];
}

function entriesOf(node: AST.TOMLKeyValue, above: KeyPath, inline: TomlEntry['inline']): readonly TomlEntry[] {
  const path = [...above, ...node.key.keys.map((one) => (one.type === 'TOMLBare' ? one.name : one.value))];
  const { value } = node;
  const inside = value.type === 'TOMLInlineTable' ? value.body.flatMap((one) => entriesOf(one, path, value)) : [];
  return [{ path, node, inline }, ...inside];
}
