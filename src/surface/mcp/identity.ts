import { isProblem } from '../../kernel/problem.ts';
import { visibleToolsets } from './admission.ts';
import type { Served } from './session.ts';

/** The capability for tasks: part of the protocol in the 2025 era, an extension in the 2026 era. */
const tasks = {
  legacy: { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
  modern: { extensions: { 'io.modelcontextprotocol/tasks': {} } },
} as const;

/** The server's name, capabilities and instructions, for a client of either era. */
export async function describeServer(
  version: string,
  load: () => Promise<Served>,
  era: keyof typeof tasks,
  client: string | undefined,
) {
  const { instructions, relays } = await offerOf(load, client);
  return {
    capabilities: {
      tools: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
      prompts: { listChanged: true },
      completions: {},
      logging: {},
      // Each upstream tool says itself whether it runs as a task.
      ...(relays && tasks[era]),
    },
    serverInfo: { name: 'sekisho', title: 'Sekisho', version },
    instructions,
  };
}

/** The instructions, and whether upstreams are served. A problem becomes the instructions, since it may be fixed before the first call. */
async function offerOf(load: () => Promise<Served>, client: string | undefined) {
  try {
    const { app, connection } = await load();
    const visible = visibleToolsets(connection.toolsets, false);
    const relays = app.relay !== undefined && visible.includes('upstream');
    return { instructions: app.introduction(visible, client), relays };
  } catch (error) {
    if (isProblem(error)) return { instructions: error.in('en'), relays: false };
    throw error;
  }
}
