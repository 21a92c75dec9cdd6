/** The origin of a call, in the names by which the store records which runs bind it. */
export interface Callers {
  /** The agent's client: its process, or its session in a sandbox. Undefined if that is unknown. */
  readonly client: string | undefined;
  /** Every process, session and agent that the call belongs to, nearest first. */
  readonly all: readonly string[];
}

export const noCallers: Callers = { client: undefined, all: [] };

/** The name of an agent of the fleet, which its descendants have too. */
export function agentCaller(id: string): string {
  return `agent:${id}`;
}

/** The id of the fleet agent among these callers; undefined if there is none. */
export function agentAmong(callers: readonly string[]): string | undefined {
  const prefix = agentCaller('');
  return callers.find((one) => one.startsWith(prefix))?.slice(prefix.length);
}
