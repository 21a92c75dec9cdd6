import type { Sentence } from '../../kernel/text/text.ts';
import { definePhrases } from '../../kernel/text/text.ts';

const said = definePhrases({
  unknown: {
    en: ({ name }: { name: string }) => `There is no flag ${name} here. See --help.`,
    ja: ({ name }) => `フラグ ${name} はありません。--help をご覧ください。`,
  },
  noValue: {
    en: ({ name }: { name: string }) => `${name} needs a value. See --help.`,
    ja: ({ name }) => `${name} には値が必要です。--help をご覧ください。`,
  },
  noneTaken: {
    en: ({ name }: { name: string }) => `${name} takes no value. See --help.`,
    ja: ({ name }) => `${name} に値は指定できません。--help をご覧ください。`,
  },
  ambiguous: {
    en: ({ name }: { name: string }) => `What follows ${name} looks like a flag. If it is its value, write ${name}=….`,
    ja: ({ name }) => `${name} の次の語はフラグのように見えます。値であれば ${name}=… と書いてください。`,
  },
  word: {
    en: ({ name }: { name: string }) => `"${name}" is one word too many: this takes flags only. See --help.`,
    ja: ({ name }) => `「${name}」は余分です。フラグだけを指定できます。--help をご覧ください。`,
  },
});

/** What Node's parser says of a line, as a person would. */
export function wrongFlag({ message, code }: NodeJS.ErrnoException): Sentence {
  const name = /'(?:-\w, )?(--?[^\s'=]*|[^']*)/.exec(message)?.[1] ?? '';
  if (code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL') return said.word({ name });
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return said.unknown({ name });
  if (message.includes('does not take')) return said.noneTaken({ name });
  return message.includes('ambiguous') ? said.ambiguous({ name }) : said.noValue({ name });
}
