import { block, code, page, table } from './markdown.mjs';

const exitMeanings = {
  ok: 'It is done.',
  refused: 'It was refused, or a check failed; the code and the reason are in the answer.',
  usage: 'The command line or the configuration cannot be used.',
  unavailable: 'The database, or a port, is not available.',
  internal: 'A fault of Sekisho.',
};

function exampleLine(example) {
  return typeof example === 'string' ? example : `${example.line}   # ${example.note.en}`;
}

export function commandsPage(product) {
  return page(
    '# Commands',
    'Beside these, every tool of every toolset is a command: `sekisho <toolset> <operation>`, see the pages of the toolsets.',
    table(
      ['command', 'what it does'],
      product.commands.map((one) => [`[${code(one.name)}](#${one.name.replaceAll(' ', '-')})`, `${one.summary.en}.`]),
    ),
    product.commands.flatMap((one) => [
      `## ${one.name}`,
      `${one.summary.en}.`,
      block(`${one.usage}\n\n# for example\n${one.examples.map(exampleLine).join('\n')}`),
    ]),
    '## Exit codes',
    table(
      ['exit code', 'meaning'],
      Object.entries(product.exitCode).map(([name, value]) => [value, exitMeanings[name] ?? name]),
    ),
  );
}
