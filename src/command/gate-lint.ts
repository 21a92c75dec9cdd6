import { configure } from '../app/configure.ts';
import { readFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { say, printJson } from '../surface/terminal/print.ts';
import { type Command, exitCode } from './frame/command.ts';
import { readSurroundings } from '../config/load.ts';
import { listOwn } from '../gate/definition/catalogue.ts';
import { readDefinition } from '../gate/definition/file.ts';
import { type TranslatedFinding, translateFinding } from '../gate/definition/finding.ts';
import { type Lang, definePhrases } from '../kernel/text/text.ts';
import { style } from '../surface/terminal/style.ts';
import { problem } from '../kernel/problem.ts';
import { messageOf } from '../base/failure.ts';
import * as ja from './ja.ts';

export const gateLint: Command = {
  options: {},
  usage: 'sekisho gate lint [file …]',
  examples: ['sekisho gate lint', 'sekisho gate lint .sekisho/processes/hotfix.yaml --json'],
  async run({ flags, json, positionals }) {
    const config = await configure(flags);
    const { cwd } = readSurroundings();
    const files =
      positionals.length > 0
        ? await Promise.all(
            positionals.map(async (file) =>
              readDefinition(relative(cwd, resolve(cwd, file)), await read(resolve(cwd, file))),
            ),
          )
        : (await listOwn(config)).flatMap((one) => one.now ?? []);
    const findings = files
      .flatMap((one) => one.findings)
      .map((one) => translateFinding(one, (sentence) => sentence(config.lang)));
    const errors = findings.filter((one) => one.severity === 'error').length;
    if (json) printJson({ files: files.length, errors, warnings: findings.length - errors, problems: findings });
    else say(report(files.length, findings, config.lang));
    return errors > 0 ? exitCode.refused : exitCode.ok;
  },
};

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw problem.BAD_CONFIGURATION({ file: path, reason: messageOf(error) });
  }
}

function report(files: number, findings: readonly TranslatedFinding[], lang: Lang): string {
  const lines = findings.map((one) => {
    const mark = one.severity === 'error' ? style.red(said.error()(lang)) : style.yellow(said.warning()(lang));
    return `${style.bold(`${one.file}:${one.line}:${one.column}`)} ${mark} ${one.code} ${one.message}\n  ${style.dim(one.remedy)}`;
  });
  const errors = findings.filter((one) => one.severity === 'error').length;
  const total = said.total({ files, errors, warnings: findings.length - errors })(lang);
  return `${[...lines, errors > 0 ? style.red(total) : style.green(total)].join('\n')}\n`;
}

const several = (n: number, word: string) => `${n} ${word}${n === 1 ? '' : 's'}`;

export const english = {
  error: () => 'error',
  warning: () => 'warning',
  total: ({ files, errors, warnings }: { files: number; errors: number; warnings: number }) =>
    [several(files, 'file'), several(errors, 'error'), several(warnings, 'warning')].join(', '),
};

const said = definePhrases(english, ja.gateLint);
