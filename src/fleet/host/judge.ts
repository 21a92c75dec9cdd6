import { type AppearedRepository, repositoriesText } from '../../sandbox/port.ts';
import { type Sentence, inLang } from '../../kernel/text/text.ts';
import type { AgentCli } from '../agent-cli.ts';
import type { FleetContext } from '../fleet-context.ts';
import type { Outcome } from '../view/state.ts';
import type { Child, Exit } from './child.ts';
import type { PreparedAgent } from './prepare.ts';
import { phrase } from '../problem.ts';

/** The reason why the host ends its child. `lost`: the agent no longer belongs to this host. */
export type Stop = 'timeout' | 'cancel' | 'signal' | 'done' | 'lost';

export interface AgentEnding {
  readonly child: Child;
  readonly exit: Exit;
  readonly reason: Stop | undefined;
  readonly timeoutMs: number;
  /** The number of processes that could not be ended. */
  readonly left: number;
  /** The sandbox it ran in. */
  readonly sandbox: string | undefined;
  /** Credentials that the sandbox hid from it. */
  readonly hidden: readonly string[];
}

export function outcomeOf({ child, exit, reason }: AgentEnding): Outcome {
  const { error, ended } = child.tally();
  if (reason === 'timeout') return 'timedOut';
  if (reason === 'cancel' || reason === 'signal') return 'cancelled';
  if (exit.error !== undefined || error !== undefined) return 'failed';
  return ended || exit.code === 0 ? 'completed' : 'failed';
}

/** Returns the error message, with the git repositories that appeared: a person must know before using git there. */
export function reasonOf(
  context: FleetContext,
  prepared: PreparedAgent,
  ending: AgentEnding,
  appeared: readonly AppearedRepository[],
): string | null {
  const { sandbox, hidden } = ending;
  let reason = bareReason(context, prepared, ending);
  // A resource that is out of reach in the sandbox is a frequent cause.
  if (reason !== null && sandbox !== undefined && outcomeOf(ending) === 'failed')
    reason = context.say(phrase.agentInSandbox({ reason, sandbox, hidden }));
  if (appeared.length === 0) return reason;
  return [...(reason === null ? [] : [reason]), context.say(repositoriesText(appeared))].join('\n');
}

/** Returns the stream's error, else the end of stderr, else how the process ended. */
function bareReason(context: FleetContext, prepared: PreparedAgent, ending: AgentEnding): string | null {
  const { child, exit, reason, timeoutMs, left } = ending;
  const { error, ended, denials } = child.tally();
  const strays = left === 0 ? '' : ` ${context.say(phrase.agentStrays({ count: left }))}`;
  if (reason === 'timeout') return context.say(phrase.agentTimedOut({ ms: timeoutMs })) + strays;
  if (reason === 'cancel') return context.say(phrase.agentCancelled()) + strays;
  if (reason === 'signal') return context.say(phrase.agentHostStopped({ signal: 'SIGTERM' })) + strays;
  if (exit.error?.code === 'ENOENT') return context.say(notInstalledReason(context, prepared.program, prepared.cli));
  if (exit.error !== undefined) return context.say(phrase.agentNotStarted({ reason: exit.error.message }));
  if (error !== undefined) return error;
  if (!ended && exit.code !== 0)
    return child.errors() === ''
      ? context.say(phrase.agentExit({ code: exit.code, signal: exit.signal }))
      : child.errors();
  return denials.length === 0 ? null : context.say(phrase.agentDenied({ tools: denials.join(', ') }));
}

export function notInstalledReason(
  { say }: Pick<FleetContext, 'say'>,
  program: string,
  { install }: AgentCli,
): Sentence {
  return phrase.agentNotInstalled({
    program,
    remedy: say((lang) => phrase.roleInstall({ command: inLang(install, lang) })(lang)),
  });
}
