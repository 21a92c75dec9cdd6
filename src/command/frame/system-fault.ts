import { type Sentence, definePhrases } from '../../kernel/text/text.ts';
import * as ja from '../ja.ts';

export const english = {
  ENOENT: ({ what }: { what: string }) => `${what} does not exist.`,
  EACCES: ({ what }: { what: string }) => `${what} may not be used by this user.`,
  EISDIR: ({ what }: { what: string }) => `${what} is a folder, and a file is needed.`,
  ENOSPC: ({ what }: { what: string }) => `The disk is full: ${what}. Free some space, then try again.`,
  other: ({ what, message }: { what: string; message: string }) => `${what} cannot be used: ${message}`,
};

const said = definePhrases(english, ja.systemFault);

/** A file that is not there, or not ours: what the system says of it, as a person would. */
export function systemFault({ code, path, address, message, syscall = '' }: Fault): Sentence {
  const what = path ?? address ?? syscall;
  if (code === 'ENOENT' || code === 'EISDIR' || code === 'ENOSPC') return said[code]({ what });
  return code === 'EACCES' || code === 'EPERM' ? said.EACCES({ what }) : said.other({ what, message });
}

type Fault = NodeJS.ErrnoException & { readonly address?: string };
