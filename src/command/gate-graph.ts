import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createApp } from '../app/application.ts';
import { expandId } from '../app/short-id.ts';
import { configure } from '../app/configure.ts';
import type { Config } from '../config/load.ts';
import { findDefinition } from '../gate/definition/catalogue.ts';
import type { Definition } from '../gate/definition/definition.ts';
import { readDefinition } from '../gate/definition/file.ts';
import { drawGraph } from '../gate/definition/graph.ts';
import { problem } from '../gate/problem.ts';
import { describeGraph } from '../gate/view/describe-graph.ts';
import { asReviewer } from '../gate/approval/review.ts';
import { readRun, resolveRunId } from '../gate/run/runs.ts';
import { visitsOf } from '../gate/view/visits.ts';
import { describeWaysOut } from '../gate/view/events.ts';
import type { RunPosition } from '../graph/scene.ts';
import { problem as kernelProblem } from '../kernel/problem.ts';
import type { Lang } from '../kernel/text/text.ts';
import { type Command, exitCode } from './frame/command.ts';
import { unknownChoice } from '../kernel/setting.ts';

const formats = ['mermaid', 'dot', 'svg'] as const;
type Format = (typeof formats)[number];

export const gateGraph: Command = {
  options: { format: { type: 'string' }, svg: { type: 'boolean' } },
  usage: 'sekisho gate graph <process-id | file> | --run-id <run> [--svg | --format mermaid|dot|svg]',
  examples: [
    'sekisho gate graph release',
    'sekisho gate graph .sekisho/processes/hotfix.yaml --format dot | dot -Tpng > hotfix.png',
    'sekisho gate graph --run-id run-… --svg > run.svg',
  ],
  async run({ flags, options, positionals }) {
    const named = options['svg'] === true ? 'svg' : String(options['format'] ?? 'mermaid');
    const format = formats.find((one) => one === named);
    if (format === undefined)
      throw kernelProblem.BAD_CONFIGURATION({ file: '--format', reason: unknownChoice(named, formats) });
    const config = await configure(flags);
    const [name] = positionals;
    const text = name === undefined ? await ofRun(config, format) : await ofProcess(config, name, format);
    process.stdout.write(text);
    return exitCode.ok;
  },
};

async function ofProcess(config: Config, name: string, format: Format): Promise<string> {
  if (!/\.ya?ml$/.test(name) || !existsSync(name))
    return draw(
      (await findDefinition({ ...config, say: (sentence) => sentence(config.lang) }, name)).definition,
      format,
      config.lang,
    );
  const file = readDefinition(name, await readFile(name, 'utf8'));
  if (file.definition === undefined) throw problem.PROCESS_INVALID({ process_id: name, findings: file.findings });
  return draw(file.definition, format, config.lang);
}

async function ofRun(config: Config, format: Format): Promise<string> {
  const app = createApp(config);
  try {
    const runId = config.runId === undefined ? undefined : await expandId(() => app.store(), config.runId, 'run-');
    const context = await app.context({});
    const snapshot = await readRun(context, await resolveRunId(context, runId));
    const { run } = snapshot;
    if (format !== 'svg') return drawGraph(run.definition, format, run.state);
    const [visits, ways] = [await visitsOf(context.store, run), await describeWaysOut(asReviewer(context), snapshot)];
    const now = context.now().getTime();
    return await draw(run.definition, format, config.lang, {
      progress: { current: run.state, visits, ways },
      status: run.status,
      now,
    });
  } finally {
    await app.close();
  }
}

async function draw(definition: Definition, format: Format, lang: Lang, stand?: RunPosition): Promise<string> {
  if (format !== 'svg') return drawGraph(definition, format);
  // The layout is expensive to load, and only SVG needs it.
  const [{ layOut }, { sceneOf }, { drawSvg }] = await Promise.all([
    import('../graph/layout.ts'),
    import('../graph/scene.ts'),
    import('../graph/svg.ts'),
  ]);
  return drawSvg(definition.name, sceneOf(layOut(describeGraph(definition)), lang, stand));
}
