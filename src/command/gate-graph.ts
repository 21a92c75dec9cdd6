import { configure } from '../app/configure.ts';
import { readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { createApp } from '../app/application.ts';
import type { Command } from './command.ts';
import { exitCode } from './command.ts';
import { findDefinition } from '../gate/definition/catalog.ts';
import { readDefinition } from '../gate/definition/file.ts';
import { drawGraph } from '../gate/definition/graph.ts';
import { readRun, resolveRunId } from '../gate/run/runs.ts';
import { problem } from '../gate/problem.ts';
import { problem as kernelProblem } from '../kernel/problem.ts';

export const gateGraph: Command = {
  options: { format: { type: 'string' } },
  usage: 'sekisho gate graph <process-id | file> [--format mermaid|dot] | --run-id <run>',
  examples: [
    'sekisho gate graph release',
    'sekisho gate graph .sekisho/processes/hotfix.yaml --format dot | dot -Tsvg > hotfix.svg',
    'sekisho gate graph --run-id run-…',
  ],
  async run({ flags, options, positionals }) {
    const named = String(options['format'] ?? 'mermaid');
    const format = (['mermaid', 'dot'] as const).find((one) => one === named);
    if (format === undefined)
      throw kernelProblem.BAD_CONFIGURATION({ file: '--format', reason: `"${named}" is none of mermaid, dot` });
    const config = await configure(flags);
    const [name] = positionals;
    if (name === undefined) {
      const app = createApp(config);
      try {
        const context = await app.context({});
        const { run } = await readRun(context, await resolveRunId(context, undefined));
        process.stdout.write(drawGraph(run.definition, format, run.state));
        return exitCode.ok;
      } finally {
        await app.close();
      }
    }
    if (/\.ya?ml$/.test(name) && existsSync(name)) {
      const file = readDefinition(name, await readFile(name, 'utf8'));
      if (file.definition === undefined) throw problem.PROCESS_INVALID({ process_id: name, findings: file.findings });
      process.stdout.write(drawGraph(file.definition, format));
      return exitCode.ok;
    }
    process.stdout.write(drawGraph((await findDefinition(config, name)).definition, format));
    return exitCode.ok;
  },
};
