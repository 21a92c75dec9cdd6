import type { Operation } from '../../kernel/operation.ts';
import { descriptionIn } from '../../kernel/text/described.ts';
import { commandName, flagsOf } from './cli.ts';
import { type Row, columns, indentCode, usage } from './columns.ts';
import { wrap } from './fit.ts';
import { helpText } from './help-text.ts';
import type { Screen } from './screen.ts';
import { type TypedCommands, commandsOf } from './typed-command.ts';

export function operationHelp(
  toolset: string,
  operation: Operation,
  operations: readonly Operation[],
  screen: Screen,
): string {
  const typed = commandsOf(operations, operation);
  const { lang, width } = screen;
  const command = `sekisho ${toolset} ${commandName(operation)}`;
  const rows = flagRows(operation, typed, screen);
  const { example } = operation;
  return [
    ...wrap(typed(operation.summary[lang]), width),
    '',
    ...usage(helpText.usage()(lang), [`${command} [${helpText.flags()(lang)}]`], width),
    ...(rows.length > 0 ? ['', helpText.flagsAre()(lang), columns(rows, screen)] : []),
    ...(example === undefined
      ? []
      : ['', helpText.example()(lang), ...indentCode(`${command} ${example}`.trim(), width)]),
    '',
  ].join('\n');
}

function flagRows(operation: Operation, typed: TypedCommands, { lang }: Screen): readonly Row[] {
  return flagsOf(operation).map(({ flag, value, schema, required, byDefault }) => {
    const notes = [
      typed(descriptionIn(lang, schema) ?? ''),
      required ? helpText.required()(lang) : undefined,
      byDefault === undefined ? undefined : helpText.default({ value: JSON.stringify(byDefault) })(lang),
    ];
    return [value === '' ? flag : `${flag} ${value}`, notes.filter((one) => one !== undefined && one !== '').join(' ')];
  });
}

/** What `sekisho <toolset> --help` prints: the rows are its operations and its own commands. */
export function toolsetHelp(toolset: string, rows: readonly Row[], screen: Screen): string {
  const { lang, width } = screen;
  const line = `sekisho ${toolset} <${helpText.operation()(lang)}> [${helpText.flags()(lang)}]`;
  return [
    ...usage(helpText.usage()(lang), [line], width),
    '',
    columns(rows, screen),
    '',
    ...wrap(helpText.operationFlags({ toolset })(lang), width),
    '',
  ].join('\n');
}
