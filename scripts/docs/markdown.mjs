export const generated = '<!-- Written by `npm run docs`. Do not edit: change the source and run it again. -->';

export function page(...parts) {
  return `${[generated, ...parts.flat().filter((part) => part !== '')].join('\n\n')}\n`;
}

export function table(head, rows) {
  const line = (cells) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

function cell(text) {
  return String(text).replaceAll('|', '\\|').replaceAll('\n', '<br>');
}

export function code(text) {
  return `\`${text}\``;
}

export function block(text, language = 'sh') {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}
