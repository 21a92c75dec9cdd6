import type { Problem } from '../../../kernel/problem.ts';
import type { SomeTexts } from '../../texts.ts';

const single = {
  UPSTREAM_NONE: () => 'No upstream is configured. Add one under "upstreams:" in .sekisho/config.yaml.',
  UPSTREAM_UNKNOWN: ({ upstream: name, known }) => `There is no upstream "${name}". There are: ${known.join(', ')}.`,
  UPSTREAM_UNREACHABLE: ({ upstream: name, address, cause }) =>
    `Cannot connect to upstream "${name}" at ${address}: ${cause}. Start it, then call activate again.`,
  UPSTREAM_INIT_FAILED: ({ upstream: name, tool, script, cause }) =>
    `Upstream "${name}" is connected but not activated: its init script ${script} (through ${tool}) failed. It said: ${cause}`,
  UPSTREAM_PHRASE: ({ upstream: name, skill, given }) =>
    `${given ? 'This is not the phrase of' : 'A phrase is needed for'} upstream "${name}". Read the skill${skill === undefined ? '' : ` "${skill}"`} and call activate with the phrase that its text gives: activate({"phrase": "…"}).`,
} satisfies SomeTexts['problems'];

/** Of one among several that were to be activated. */
function textOf({ code, params }: Problem): string {
  return (single as Readonly<Record<string, ((given: never) => string) | undefined>>)[code]?.(params as never) ?? code;
}

export const upstream = {
  problems: {
    ...single,
    UPSTREAM_ACTIVATION: ({ active, failures }) =>
      `Not every upstream was activated. ${failures.map(textOf).join(' ')}${active.length === 0 ? '' : ` Active: ${active.join(', ')}.`}`,
  },
  refusals: {},
  phrases: {
    'upstream.locked': ({ upstream: name, skill, phrase, several }) =>
      `The tools of upstream "${name}" are locked. ${skill === undefined ? 'Call' : `First load the skill "${skill}" (/${skill}) and read it, then call`} activate(${several || phrase ? `{${[several && `"upstream": "${name}"`, phrase && '"phrase": "…as the skill gives it"'].filter(Boolean).join(', ')}}` : ''}). Then call this tool again.`,
    'upstream.disconnected': ({ upstream: name, cause, several }) =>
      `Upstream "${name}" is disconnected (${cause}). Call activate${several ? `({"upstream": "${name}"})` : ''} again, then repeat this call. 上流MCP切断。activate を再度呼んでください`,
    'upstream.unreachable': ({ upstream: name, address, cause }) =>
      `Cannot connect to upstream "${name}" at ${address}: ${cause}. The call was not sent. Once it runs, just call again.`,
    'upstream.init': ({ upstream: name, cause }) =>
      `The init script of upstream "${name}" failed, so the call was not sent. It said: ${cause}`,
    'upstream.interrupted': ({ upstream: name, tool, cause, manual }) =>
      `The connection to upstream "${name}" broke while ${tool} was running (${cause}). It may have run, so it is not repeated. ${manual ? 'Call activate again, look' : 'Look'} whether it took effect, then decide whether to call it again.`,
    'upstream.bare': ({ upstream: name }) =>
      `A tool of the upstream "${name}", whose description is not known yet because it was never reached.`,
  },
} satisfies SomeTexts;
