import { toolsets } from '../../kernel/toolset.ts';
import { columns, indentCode, usage } from '../../surface/terminal/columns.ts';
import { wrap } from '../../surface/terminal/fit.ts';
import { helpText } from '../../surface/terminal/help-text.ts';
import type { Screen } from '../../surface/terminal/screen.ts';
import { style } from '../../surface/terminal/style.ts';
import type { Command, CommandEntry, CommandGroup, Example } from './command.ts';

export function mainHelp(groups: readonly CommandGroup[], screen: Screen): string {
  const { lang, width } = screen;
  const [command, flags, toolset, operation] = [
    helpText.command()(lang),
    helpText.flags()(lang),
    helpText.toolset()(lang),
    helpText.operation()(lang),
  ];
  const names = Math.max(...groups.flatMap((one) => one.commands.map(({ name }) => name.length)));
  return [
    ...wrap(`${style.bold('関所 Sekisho')}: ${helpText.product()(lang)}`, width),
    '',
    ...usage(
      helpText.usage()(lang),
      [`sekisho <${command}> [${flags}]`, `sekisho <${toolset}> <${operation}> [${flags}]`],
      width,
    ),
    '',
    ...groups.flatMap(({ title, commands }) => [
      style.bold(title[lang]),
      columns(
        commands.map((one) => [one.name, one.summary[lang]] as const),
        screen,
        names,
      ),
      '',
    ]),
    ...wrap(helpText.explains()(lang), width),
    ...wrap(helpText.toolsets({ names: toolsets.join(', ') })(lang), width),
    '',
    everywhere(screen),
    '',
    helpText.examples()(lang),
    ...[
      'sekisho init',
      'sekisho gate list-processes',
      'sekisho gate create-run --process-id explore-plan-implement-verify',
      'sekisho gate get-state --json',
    ].flatMap((line) => indentCode(line, width)),
    '',
  ].join('\n');
}

export function commandHelp({ summary }: CommandEntry, command: Command, screen: Screen): string {
  const { lang, width } = screen;
  return [
    ...wrap(`${summary[lang]}${lang === 'ja' ? '。' : '.'}`, width),
    '',
    ...usage(
      helpText.usage()(lang),
      command.usage.split('\n').map((line) => line.trim()),
      width,
    ),
    '',
    helpText.examples()(lang),
    exampleLines(command.examples, screen),
    '',
    everywhere(screen),
    '',
  ].join('\n');
}

function exampleLines(examples: readonly Example[], screen: Screen): string {
  const pairs = examples.map((one) =>
    typeof one === 'string' ? ([one, ''] as const) : ([one.line, one.note[screen.lang]] as const),
  );
  return pairs.every(([, note]) => note === '')
    ? pairs.flatMap(([line]) => indentCode(line, screen.width)).join('\n')
    : columns(pairs, screen);
}

function everywhere(screen: Screen): string {
  const { lang } = screen;
  const rows = columns(
    [
      ['--db PATH|URL', helpText.db()(lang)],
      ['--project FOLDER', helpText.project()(lang)],
      ['--role ROLE', helpText.role()(lang)],
      ['--toolsets LIST', toolsets.join(',')],
      ['--run-id ID', helpText.runId()(lang)],
      ['--lang en|ja', helpText.lang()(lang)],
      ['--json', helpText.json()(lang)],
      ['--no-color', helpText.noColor()(lang)],
      ['--help, --version', ''],
    ],
    screen,
  );
  return `${helpText.everywhere()(lang)}\n${rows}`;
}
