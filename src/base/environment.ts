export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Our own variables are ours: a token in them would make an upstream's process somebody here, and an upstream's address may
 * hold a key. The mark stays: what an agent's server starts is the agent's, and ends with it.
 */
function isOurs(name: string): boolean {
  return (
    (name.startsWith('SEKISHO_') && name !== 'SEKISHO_AGENT_ID') || ['AGENT_PASSKEY', 'MCP_UPSTREAM'].includes(name)
  );
}

/** What programs that we start inherit: our own environment without our own secrets. */
export function inheritableEnvironment(env: Environment): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined || isOurs(name) ? [] : [[name, value]])),
  );
}
