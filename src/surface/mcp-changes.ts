import type { Module } from '../kernel/operation.ts';
import type { RelayChange } from '../kernel/relay.ts';
import type { Recorded } from '../kernel/store.ts';
import type { Session } from './mcp-session.ts';

export interface Changes {
  readonly uris: readonly string[];
  readonly lists: readonly ('tools' | 'resources' | 'prompts')[];
}

/** What a journal entry changed. */
export function changesOf(catalog: Pick<Module, 'resources'>, entry: Recorded): Changes {
  const changes = catalog.resources.map((resource) => resource.changed(entry)).filter((one) => one !== undefined);
  return { uris: changes.flatMap((one) => one.uris), lists: changes.some((one) => one.list) ? ['resources'] : [] };
}

/** What changed behind this server. */
export function changesOfRelay({ uri, list }: RelayChange): Changes {
  return { uris: uri === undefined ? [] : [uri], lists: list === undefined ? [] : [list] };
}

/** Tells this client what changed. */
export async function notifyOf({ server, subscribed }: Session, changes: Changes, modern: boolean): Promise<void> {
  for (const uri of changes.uris) {
    if (modern || subscribed.has(uri)) await server.sendResourceUpdated({ uri });
  }
  for (const list of changes.lists) {
    if (list === 'tools') await server.sendToolListChanged();
    else if (list === 'prompts') await server.sendPromptListChanged();
    else await server.sendResourceListChanged();
  }
}
