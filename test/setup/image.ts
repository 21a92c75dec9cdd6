import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parse } from 'yaml';

/** What a container of an image starts, with the image's `/` in a folder of this machine. */
export interface Image {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly command: readonly string[];
}

/** Carries out a Dockerfile of one stage without an engine. The base image is this machine; `root` takes the place of `/`. */
export function buildImage(dockerfile: string, context: string, root: string): Image {
  const at = (path: string) => join(root, path);
  const inRoot = (word: string) => (word.startsWith('/') ? at(word) : word);
  const env: Record<string, string> = { PATH: process.env['PATH'] ?? '', HOME: at('/root') };
  let cwd = '/';
  let command: readonly string[] = [];
  const instructions: Readonly<Record<string, (rest: string) => void>> = {
    FROM(base) {
      if (/\s/.test(base)) throw new Error(`FROM ${base}: only one stage can be tried here`);
    },
    WORKDIR(path) {
      cwd = resolve(cwd, path);
      mkdirSync(at(cwd), { recursive: true });
    },
    COPY: (rest) => copy(context, rest.split(/\s+/), (path) => at(resolve(cwd, path))),
    RUN(line) {
      // A step that names `/…` would read or change this machine instead of the image.
      if (/(?:^|[\s"'=])\//.test(line)) throw new Error(`RUN ${line}: only relative paths can be tried here`);
      const { status, stdout, stderr } = spawnSync('sh', ['-c', line], { cwd: at(cwd), env, encoding: 'utf8' });
      // The warm-up ends with 0 also where a command failed.
      if (status !== 0 || stderr !== '') throw new Error(`RUN ${line} ended with ${status}: ${stdout}${stderr}`);
    },
    ENV(rest) {
      for (const [, name = '', value = ''] of rest.matchAll(/(\w+)=(\S+)/g)) env[name] = inRoot(value);
    },
    VOLUME: (path) => void mkdirSync(at(path), { recursive: true }),
    ENTRYPOINT: (words) => void (command = (JSON.parse(words) as string[]).map(inRoot)),
  };
  for (const [, word = '', rest = ''] of dockerfile.matchAll(/^(?!#)(\w+)\s+(.+)$/gm)) {
    const carryOut = instructions[word];
    if (carryOut === undefined) throw new Error(`${word} ${rest}: this instruction cannot be tried here`);
    carryOut(rest);
  }
  return { cwd: at(cwd), env, command };
}

/** As COPY does it: of a folder its content, and nothing but what the context has. */
function copy(context: string, words: readonly string[], place: (path: string) => string): void {
  const target = words.at(-1) ?? '';
  for (const word of words.slice(0, -1)) {
    const source = join(context, word);
    if (word.startsWith('--') || !existsSync(source)) throw new Error(`COPY ${word}: not in the build context`);
    const isInside = !statSync(source).isDirectory() && target.endsWith('/');
    cpSync(source, isInside ? join(place(target), basename(word)) : place(target), { recursive: true });
  }
}

/** The variables that compose gives a service of a file where the user has set none. */
export function serviceVariables(file: string, service: string): Readonly<Record<string, string>> {
  const { services } = parse(readFileSync(file, 'utf8')) as {
    services: Record<string, { environment: Record<string, string> }>;
  };
  return Object.fromEntries(
    Object.entries(services[service]?.environment ?? {}).map(([name, value]) => [
      name,
      /^\$\{\w+:?-(.*)\}$/.exec(value)?.[1] ?? value,
    ]),
  );
}
