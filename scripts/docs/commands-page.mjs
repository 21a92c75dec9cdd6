import { block, code, page, table } from './markdown.mjs';
import { words } from './words.mjs';

export function commandsPage(product, lang) {
  const say = words[lang];
  const exampleLine = (one) => (typeof one === 'string' ? one : `${one.line}   # ${one.note[lang]}`);
  return page(
    `# ${say.commands}`,
    say.beside,
    table(
      [say.command, say.does],
      product.commands.map((one) => [
        `[${code(one.name)}](#${one.name.replaceAll(' ', '-')})`,
        `${one.summary[lang]}${say.end}`,
      ]),
    ),
    product.commands.flatMap((one) => [
      `## ${one.name}`,
      `${one.summary[lang]}${say.end}`,
      block(`${one.usage}\n\n# ${say.forExample}\n${one.examples.map(exampleLine).join('\n')}`),
    ]),
    `## ${say.exitCodes}`,
    table(
      [say.exitCode, say.meaning],
      Object.entries(product.exitCode).map(([name, value]) => [value, say.exitMeanings[name]]),
    ),
  );
}
