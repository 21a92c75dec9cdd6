import { posix } from 'node:path';
import type { Context } from '../../kernel/context.ts';
import type { Prompt as McpPrompt } from '../../kernel/operation.ts';
import { actorName, entry } from '../../kernel/store/journal.ts';
import type { Row } from '../../kernel/store/store.ts';
import { wordsOf } from '../../kernel/text/text.ts';
import { remember } from '../source/cache.ts';
import { compose, fillPrompt, usesVariable } from './compose.ts';
import { findPhase } from '../plan/plan.ts';
import { type PhaseItem, settings } from '../settings.ts';
import { contextOfProject } from '../plan/project.ts';
import { type Loaded, digestOf, isPromptName } from './prompt.ts';
import type { Source } from '../source/source.ts';
import { loadPrompt, sourceOf } from '../source/sources.ts';
import { type PhaseStanding, readResults, readStanding } from '../plan/state.ts';
import { phrase } from '../problem.ts';

type ServeInput = Readonly<Record<string, unknown>> & { readonly projectPath?: string | undefined };

/** Serves a phase's prompt and records in the journal who got which text of which version. */
export async function servePrompt(context: Context, phaseId: string, given: ServeInput) {
  const item = findPhase(context, phaseId);
  const here = contextOfProject(context, given.projectPath);
  const actor = actorName(context.actor);
  const source = sourceOf(context);
  const [{ standing, rows }, prompt] = await Promise.all([
    readStanding(here, [
      {
        sql: `select served.revision as revision, served.digest as digest from phase_served served
          join phase_plan on phase_plan.run_id = served.run_id
          where phase_plan.project = :project and served.actor = :actor and served.prompt = :phase`,
        args: { project: here.project.key, actor, phase: item.id },
      },
    ]),
    promptOf(context, source, item),
  ]);
  if (prompt.cached) context.log.debug('Cache hit', { phase: item.id, version: prompt.version });
  const { parts, included } = await compose(context, source, prompt);
  const title = item.title ?? prompt.title;
  const wantsResults = usesVariable(parts, 'results') || usesVariable(parts, 'previousPhaseResults');
  const results = wantsResults ? await readResults(here, standing.runId) : {};
  const { previousPhaseResults } = given;
  const filled = fillPrompt(context, prompt, parts, {
    project: {
      path: given.projectPath ?? here.project.tree,
      name: posix.basename(here.project.root),
      key: here.project.key,
    },
    phase: phaseValues(context, item, title),
    context: given,
    variables: settings.of(context).phases.variables,
    results,
    previousPhaseResults: previousPhaseResults ?? (Object.keys(results).length > 0 ? results : undefined),
  });
  const appended = previousPhaseResults !== undefined && !usesVariable(parts, 'previousPhaseResults');
  const text = [
    given.projectPath === undefined ? '' : `Project Path: ${given.projectPath}\n\n`,
    filled,
    appended ? previousSection(context, filled, previousPhaseResults) : '',
  ].join('');
  await recordServed(here, { item, prompt, included, source, standing, text, before: rows[0]?.[0] });
  return { text, prompt, title, source: source.id };
}

/** Loads the text from the configuration if the phase has one there, else from the source. */
async function promptOf(context: Context, source: Source, item: PhaseItem): Promise<Loaded> {
  const { prompt = item.id, title } = item;
  if (isPromptName(prompt)) return loadPrompt(context, source, prompt);
  const inline = { name: item.id, version: 1, title, content: prompt, digest: digestOf(prompt) };
  return remember(context, `configuration:${context.project.key}`, inline);
}

export function phaseValues(
  context: Context,
  item: PhaseItem,
  title: string | undefined,
): Readonly<Record<string, unknown>> {
  const { list } = settings.of(context).phases;
  const at = list.indexOf(item);
  return {
    id: item.id,
    title: title ?? item.id,
    number: at + 1,
    count: list.length,
    next: list[at + 1]?.id,
    previous: list[at - 1]?.id,
    requiredFiles: item.required_files ?? [],
  };
}

function previousSection(context: Context, text: string, results: unknown): string {
  const gap = text.endsWith('\n') ? '\n' : '\n\n';
  return `${gap}## ${context.say(phrase.previous())}\n\n\`\`\`json\n${JSON.stringify(results, null, 2)}\n\`\`\`\n`;
}

interface Serving {
  readonly item: PhaseItem;
  readonly prompt: Loaded;
  readonly included: readonly Loaded[];
  readonly source: Source;
  readonly standing: PhaseStanding;
  readonly text: string;
  readonly before: Row | undefined;
}

/** Records a served prompt, once per text, actor and revision. */
async function recordServed(context: Context, serving: Serving): Promise<void> {
  const { item, prompt, included, source, standing, text, before } = serving;
  const digest = digestOf(text);
  const { runId, revision } = standing;
  if (before !== undefined && before['digest'] === digest && Number(before['revision']) === revision) return;
  await context.store.commit(
    [
      {
        sql: `insert into phase_served (run_id, actor, prompt, revision, digest) values (:run, :actor, :prompt, :revision, :digest)
          on conflict (run_id, actor, prompt) do update set revision = excluded.revision, digest = excluded.digest`,
        args: { run: runId, actor: actorName(context.actor), prompt: item.id, revision, digest },
      },
    ],
    [
      entry(context, runId, 'phase.prompt_served', {
        phase: item.id,
        prompt: prompt.name,
        version: prompt.version,
        digest: prompt.digest,
        text_digest: digest,
        source: source.id,
        revision,
        ...(included.length > 0 && {
          includes: included.map((one) => ({ prompt: one.name, version: one.version, digest: one.digest })),
        }),
        ...(prompt.warning !== undefined && { stale: true }),
      }),
    ],
  );
}

/** Every phase as an MCP prompt, so that clients show it as a command. */
export function phasePrompts(context: Context): Promise<readonly McpPrompt[]> {
  const source = sourceOf(context);
  return Promise.all(
    settings.of(context).phases.list.map(async (item): Promise<McpPrompt> => {
      const name = item.prompt ?? item.id;
      const known =
        item.title ?? (isPromptName(name) ? await source.title(context, name).catch(() => undefined) : undefined); // A broken file is reported when the prompt is used.
      return {
        name: item.id,
        toolsets: ['phase'],
        summary: wordsOf(known === undefined ? phrase.command({ phase: item.id }) : () => known),
        arguments: [{ name: 'projectPath', description: wordsOf(phrase.argument()), required: false }],
        render: async (here, given) => (await servePrompt(here, item.id, given)).text,
      };
    }),
  );
}
