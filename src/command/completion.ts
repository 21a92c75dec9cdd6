import { exitCode, type Command } from './frame/command.ts';
import { problem } from '../kernel/problem.ts';

/** Completion scripts by shell. Each asks `sekisho completion --` for candidates, so it is never out of date. */
const scripts: Readonly<Record<string, string>> = {
  bash: `_sekisho() {
  local IFS=$'\\n'
  COMPREPLY=($(sekisho completion -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _sekisho sekisho
`,
  zsh: `#compdef sekisho
_sekisho() {
  local -a found
  found=(\${(f)"$(sekisho completion -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  compadd -a found || _files
}
compdef _sekisho sekisho
`,
  fish: `complete -c sekisho -a '(sekisho completion -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`,
};

export const completion: Command = {
  options: {},
  passesOn: true,
  usage: 'sekisho completion bash|zsh|fish',
  examples: ['source <(sekisho completion bash)', 'sekisho completion fish > ~/.config/fish/completions/sekisho.fish'],
  async run({ positionals: [first, ...words], flags, commands }) {
    if (first === '--') {
      const { candidates } = await import('./frame/candidates.ts');
      process.stdout.write((await candidates(words, { flags, commands })).map((one) => `${one}\n`).join(''));
      return exitCode.ok;
    }
    const script = scripts[first ?? ''];
    if (script === undefined) throw problem.WRONG_USE(completion);
    process.stdout.write(script);
    return exitCode.ok;
  },
};
