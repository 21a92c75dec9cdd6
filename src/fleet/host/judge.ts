import { type AppearedRepository, repositoriesText } from '../../sandbox/port.ts';
import { type Sentence, inLang } from '../../kernel/text/text.ts';
import type { AgentCli } from '../agent-cli.ts';
import type { FleetContext } from '../fleet-context.ts';
import type { Outcome } from '../view/state.ts';
import type { Child, Exit } from './child.ts';
import type { Prepared } from './prepare.ts';
import { phrase } from '../problem.ts';

/** The reason why the host ends its child. `lost`: the agent no longer belongs to this host. */
export type Stop = 'timeout' | 'cancel' | 'signal' | 'done' | 'lost';

export interface Ending {
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

export function outcomeOf({ child, exit, reason }: Ending): Outcome {
  const { error, ended } = child.tally();
  if (reason === 'timeout') return 'timedOut';
  if (reason === 'cancel' || reason === 'signal') return 'cancelled';
  if (exit.error !== undefined || error !== undefined) return 'failed';
  return ended || exit.code === 0 ? 'completed' : 'failed';
}

/**
 * Returns the error message. It also names git repositories that appeared in the tree, whatever the outcome: a person
 * must know about them before using git there.
 */
export function reasonOf(
  context: FleetContext,
  prepared: Prepared,
  ending: Ending,
  appeared: readonly AppearedRepository[],
): string | null {
  const reason = reasonInside(context, prepared, ending);
  if (appeared.length === 0) return reason;
  return [...(reason === null ? [] : [reason]), context.say(repositoriesText(appeared))].join('\n');
}

/** Adds the sandbox's name: a resource that is out of reach in there is a frequent cause. */
function reasonInside(context: FleetContext, prepared: Prepared, ending: Ending): string | null {
  const { sandbox, hidden } = ending;
  const reason = bareReason(context, prepared, ending);
  if (reason === null || sandbox === undefined || outcomeOf(ending) !== 'failed') return reason;
  return context.say(phrase.agentInSandbox({ reason, sandbox, hidden }));
}

/** Returns the stream's error, else the end of stderr, else how the process ended. */
function bareReason(context: FleetContext, prepared: Prepared, ending: Ending): string | null {
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
