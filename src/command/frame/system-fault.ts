import type { Sentence } from '../../kernel/text/text.ts';
import { definePhrases } from '../../kernel/text/text.ts';

const said = definePhrases({
  ENOENT: {
    en: ({ what }: { what: string }) => `${what} does not exist.`,
    ja: ({ what }) => `${what} がありません。`,
  },
  EACCES: {
    en: ({ what }: { what: string }) => `${what} may not be used by this user.`,
    ja: ({ what }) => `${what} を使う権限がありません。`,
  },
  EISDIR: {
    en: ({ what }: { what: string }) => `${what} is a folder, and a file is needed.`,
    ja: ({ what }) => `${what} はフォルダーです。ファイルを指定してください。`,
  },
  ENOSPC: {
    en: ({ what }: { what: string }) => `The disk is full: ${what}. Free some space, then try again.`,
    ja: ({ what }) => `ディスクがいっぱいです: ${what}。空き容量を作ってからやり直してください。`,
  },
  other: {
    en: ({ what, message }: { what: string; message: string }) => `${what} cannot be used: ${message}`,
    ja: ({ what, message }) => `${what} を使用できません: ${message}`,
  },
});

/** A file that is not there, or not ours: what the system says of it, as a person would. */
export function systemFault({ code, path, address, message, syscall = '' }: Fault): Sentence {
  const what = path ?? address ?? syscall;
  if (code === 'ENOENT' || code === 'EISDIR' || code === 'ENOSPC') return said[code]({ what });
  return code === 'EACCES' || code === 'EPERM' ? said.EACCES({ what }) : said.other({ what, message });
}

type Fault = NodeJS.ErrnoException & { readonly address?: string };
