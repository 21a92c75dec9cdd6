/** A page of the papers as something to carry out: what a reader types, the files they write, and what the page says they see. */
export interface Step {
  readonly line: number;
  /** What bash is told. */
  readonly script: string;
  /** What the page shows below it. */
  readonly shown?: string;
  /** Why nobody can carry it out in a test. */
  readonly notRun?: string;
}

/** `<!-- not run: … -->` before a block says why it is left out. */
const fence = /(?:^<!-- not run: (?<notRun>.+?) -->\n\n?)?^```(?<kind>\w+)\n(?<text>.*?)^```$/gms;

/**
 * `sh` blocks are typed; a block whose first line is a comment with a path below `.sekisho/` is written to that file; a `text`
 * block right behind either is what is seen.
 */
export function stepsOf(page: string): Step[] {
  const steps: Step[] = [];
  let end = -1;
  for (const match of page.matchAll(fence)) {
    const { kind = '', text = '', notRun } = match.groups ?? {};
    const line = page.slice(0, match.index).split('\n').length;
    const follows = page.slice(end, match.index).trim() === '';
    const last = steps.at(-1);
    const file = /^# (\.sekisho\/\S+)\n/.exec(text)?.[1];
    if (kind === 'sh' || (kind === 'yaml' && file !== undefined)) {
      const script = kind === 'sh' ? text.split('\n').map(command).join('\n') : written(file ?? '', text);
      steps.push({ line, script, ...(notRun !== undefined && { notRun }) });
      end = match.index + match[0].length;
    } else if (kind === 'text' && follows && last !== undefined) {
      steps.splice(-1, 1, { ...last, shown: text });
    }
  }
  return steps;
}

/** A line that is meant to fail says so: `# exit code 1`. */
function command(line: string): string {
  const code = /\s#.*(?:exit code|終了コード) (\d+)/.exec(line)?.[1];
  return code === undefined ? line : `code=0; { ${line}\n} || code=$?; test $code = ${code}`;
}

function written(file: string, text: string): string {
  return `mkdir -p "$(dirname ${file})"\ncat > ${file} <<'END-OF-FILE'\n${text}END-OF-FILE\n`;
}

const mark = (index: number) => `=== step ${index} ===`;

/** `init` asks at a terminal for what its flags leave open. Its questions are tried elsewhere; with `--json` it has none. */
const quietInit = `sekisho() { if [ "$1" = init ]; then command sekisho "$@" --json; else command sekisho "$@"; fi; }`;

/** One script for a whole page: it stops at the first command that fails. */
export function scriptOf(steps: readonly Step[]): string {
  const parts = steps.map((step, index) => `echo '${mark(index)}'\n${step.notRun === undefined ? step.script : ''}`);
  return ['set -eo pipefail', 'stty cols 100 rows 40', quietInit, ...parts, ''].join('\n');
}

/** Lines that the page shows and the screen did not, in this order; `…` stands for anything. */
export function unseen(steps: readonly Step[], screen: string): string[] {
  return steps.flatMap((step, index) => {
    if (step.shown === undefined || step.notRun !== undefined) return [];
    const lines = (screen.split(mark(index))[1]?.split(mark(index + 1))[0] ?? '').split('\n');
    let from = 0;
    for (const wanted of step.shown.split('\n').filter((one) => one.trim() !== '')) {
      const found = lines.findIndex((line, at) => at >= from && fits(wanted, line));
      if (found === -1) return [`line ${step.line}: ${wanted}`];
      from = found + 1;
    }
    return [];
  });
}

function fits(wanted: string, line: string): boolean {
  const literal = (part: string) =>
    part
      .trim()
      .replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
      .replaceAll(/\s+/g, String.raw`\s+`);
  return new RegExp(`^\\s*${wanted.split('…').map(literal).join('.*')}\\s*$`).test(line);
}
