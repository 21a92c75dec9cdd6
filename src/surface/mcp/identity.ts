import { isProblem } from '../../kernel/problem.ts';
import { visibleToolsets } from './admission.ts';
import type { Served } from './session.ts';

/** The 2025 era has tasks of its own; in the 2026 era they are an extension. */
const tasks = {
  legacy: { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
  modern: { extensions: { 'io.modelcontextprotocol/tasks': {} } },
} as const;

/** What the server says of itself, to a client of either era. */
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
      // Which of the tools behind us run as tasks, each says itself.
      ...(relays && tasks[era]),
    },
    serverInfo: { name: 'sekisho', title: 'Sekisho', version },
    instructions,
  };
}

/** What cannot be served yet is said where it is asked for; a configuration may be mended meanwhile. */
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
