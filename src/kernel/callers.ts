/** Where a call comes from, in the names under which the store keeps which runs bind it. */
export interface Callers {
  /** The agent's client: its process, or its session in a sandbox. Undefined where that is unknown. */
  readonly client: string | undefined;
  /** Every process, session and agent that it belongs to, the nearest first. */
  readonly all: readonly string[];
}

export const noCallers: Callers = { client: undefined, all: [] };

/** An agent of the fleet and everything that it starts. */
export function agentCaller(id: string): string {
  return `agent:${id}`;
}

/** The agent of the fleet among them; undefined where there is none. */
export function agentAmong(callers: readonly string[]): string | undefined {
  const prefix = agentCaller('');
  return callers.find((one) => one.startsWith(prefix))?.slice(prefix.length);
}
