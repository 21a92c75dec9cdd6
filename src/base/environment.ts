export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Sekisho's own variables are not inherited: a token in them would let an upstream's process act here, and an upstream's
 * address can contain a key. The agent's mark is: a process that the agent's server starts belongs to the agent and ends with it.
 */
function isOurs(name: string): boolean {
  return (
    (name.startsWith('SEKISHO_') && name !== 'SEKISHO_AGENT_ID') || ['AGENT_PASSKEY', 'MCP_UPSTREAM'].includes(name)
  );
}

/** The environment that programs inherit from us: our own without our secrets. */
export function inheritableEnvironment(env: Environment): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined || isOurs(name) ? [] : [[name, value]])),
  );
}
