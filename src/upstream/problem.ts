import { type Problem, defineProblems } from '../kernel/problem.ts';
import { type Reason, type Sentence, definePhrases, inLang } from '../kernel/text/text.ts';
import * as ja from './ja.ts';

/** The parameters of a text about one upstream. */
type About<T> = T & { upstream: string };

export const englishProblem = {
  UPSTREAM_NONE: ({ note }: { note: Sentence | undefined }) =>
    note === undefined
      ? 'No upstream is configured. Add one under "upstreams:" in .sekisho/config.yaml.'
      : `No upstream is in effect: ${note('en')}.`,
  UPSTREAM_UNKNOWN: ({ upstream, known, note }: About<{ known: readonly string[]; note: Sentence | undefined }>) =>
    `There is no upstream "${upstream}". Configured: ${known.join(', ')}.${note === undefined ? '' : ` Note: ${note('en')}.`}`,
  UPSTREAM_UNREACHABLE: ({ upstream: name, address, cause }: { upstream: string; address: string; cause: Reason }) =>
    `Cannot connect to upstream "${name}" at ${address}: ${inLang(cause, 'en')}. Start it, then call activate again.`,
  /** `cause` is the upstream's own message. */
  UPSTREAM_INIT_FAILED: ({ upstream, tool, script, cause }: About<{ tool: string; script: string; cause: string }>) =>
    `Upstream "${upstream}" is connected but not activated: its init script ${script} (through ${tool}) failed. It said: ${cause}`,
  /** Nothing was sent: the file is at fault. */
  UPSTREAM_INIT_SCRIPT: ({ upstream: name, script, cause }: { upstream: string; script: string; cause: string }) =>
    `The init script ${script} of upstream "${name}" cannot be read: ${cause}. Nothing was sent to the upstream. Put the file there, or correct its path (init.script, --init-script), then call activate again.`,
  /** `activate` must quote the phrase that the skill's text contains. */
  UPSTREAM_PHRASE: ({ upstream, skill, given }: About<{ skill: string | undefined; given: boolean }>) =>
    `${given ? 'Wrong phrase for' : 'A phrase is needed for'} upstream "${upstream}". Read the skill${skill === undefined ? '' : ` "${skill}"`} and call activate with the phrase from its text: activate({"phrase": "…"}).`,
  UPSTREAM_ACTIVATION: ({ active, failures }: { active: readonly string[]; failures: readonly Problem[] }) =>
    `Not every upstream was activated. ${failures.map((one) => one.in('en')).join(' ')}${active.length === 0 ? '' : ` Active: ${active.join(', ')}.`}`,
};

export const problem = defineProblems(englishProblem, ja.problem);

export const englishPhrase = {
  noticeAway: ({ cause }: { cause: Reason }) =>
    `The upstream is disconnected${cause === '' ? '.' : `: ${inLang(cause, 'en')}`}`,
  locked: ({
    upstream,
    skill,
    quotes,
    several,
  }: About<{ skill?: string | undefined; quotes: boolean; several: boolean }>) =>
    `The tools of upstream "${upstream}" are locked. ${skill === undefined ? 'Call' : `First load the skill "${skill}" (/${skill}) and read it, then call`} activate(${several || quotes ? `{${[several && `"upstream": "${upstream}"`, quotes && '"phrase": "…from the skill"'].filter(Boolean).join(', ')}}` : ''}). Then call this tool again.`,
  disconnected: ({ upstream: name, cause, several }: { upstream: string; cause: Reason; several: boolean }) =>
    `Upstream "${name}" is disconnected (${inLang(cause, 'en')}). Call activate${several ? `({"upstream": "${name}"})` : ''} again, then repeat this call. 上流MCP切断。activate を再度呼んでください`,
  unreachable: ({ upstream: name, address, cause }: { upstream: string; address: string; cause: Reason }) =>
    `Cannot connect to upstream "${name}" at ${address}: ${inLang(cause, 'en')}. The call was not sent. Once it is running, call again.`,
  init: ({ upstream: name, cause }: { upstream: string; cause: Reason }) =>
    `The init script of upstream "${name}" failed, so the call was not sent. It said: ${inLang(cause, 'en')}`,
  script: ({ upstream: name, cause }: { upstream: string; cause: Reason }) =>
    `The init script of upstream "${name}" cannot be read, so the call was not sent: ${inLang(cause, 'en')}. Put the file there, or correct its path (init.script, --init-script), then call again.`,
  /** The connection broke during the call; it is unknown how far the call got. */
  interrupted: ({ upstream, tool, cause, manual }: About<{ tool: string; cause: Reason; manual: boolean }>) =>
    `The connection to upstream "${upstream}" broke while ${tool} was running (${inLang(cause, 'en')}). It may have run, so it is not repeated. ${manual ? 'Call activate again, check' : 'Check'} whether it took effect, then decide whether to call it again.`,
  bare: ({ upstream: name }: { upstream: string }) =>
    `A tool of the upstream "${name}". Its description is not known yet: the upstream has never been reached.`,
};

export const phrase = definePhrases(englishPhrase, ja.phrase);
