import { readHookSurroundings, preferredLang } from '../config/load.ts';
import type { Lang } from '../kernel/text/text.ts';
import { configure } from './configure.ts';

/** The language for a command line: by `--lang`, then the project's configuration, then the locale. */
export async function spokenLang(args: readonly string[]): Promise<Lang> {
  const [lang, project] = [valueOf(args, '--lang'), valueOf(args, '--project')];
  try {
    return (await configure({ ...(lang !== undefined && { lang }), ...(project !== undefined && { project }) })).lang;
  } catch {
    return preferredLang(args, readHookSurroundings().env); // The command itself reports an unusable configuration.
  }
}

function valueOf(args: readonly string[], flag: string): string | undefined {
  const at = args.findIndex((one) => one === flag || one.startsWith(`${flag}=`));
  if (at < 0) return undefined;
  return args[at]?.startsWith(`${flag}=`) === true ? args[at].slice(flag.length + 1) : args[at + 1];
}
