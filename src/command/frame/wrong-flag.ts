import { type Sentence, definePhrases } from '../../kernel/text/text.ts';
import * as ja from '../ja.ts';

export const english = {
  unknown: ({ name }: { name: string }) => `There is no flag ${name} here. See --help.`,
  noValue: ({ name }: { name: string }) => `${name} needs a value. See --help.`,
  noneTaken: ({ name }: { name: string }) => `${name} takes no value. See --help.`,
  ambiguous: ({ name }: { name: string }) =>
    `What follows ${name} looks like a flag. If it is its value, write ${name}=….`,
  word: ({ name }: { name: string }) => `"${name}" is one word too many: this takes flags only. See --help.`,
};

const said = definePhrases(english, ja.wrongFlag);

/** What Node's parser says of a line, as a person would. */
export function wrongFlag({ message, code }: NodeJS.ErrnoException): Sentence {
  const name = /'(?:-\w, )?(--?[^\s'=]*|[^']*)/.exec(message)?.[1] ?? '';
  if (code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL') return said.word({ name });
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return said.unknown({ name });
  if (message.includes('does not take')) return said.noneTaken({ name });
  return message.includes('ambiguous') ? said.ambiguous({ name }) : said.noValue({ name });
}
