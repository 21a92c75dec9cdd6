import type { Application } from '../../kernel/application.ts';
import type { Catalogue, ResourceChange } from '../../kernel/operation.ts';
import type { JsonObject } from '../../base/json-object.ts';
import type { RelayChange } from '../../kernel/relay.ts';
import type { Recorded } from '../../kernel/store/store.ts';

export interface Changes {
  readonly uris: readonly string[];
  readonly lists: readonly ('tools' | 'resources' | 'prompts')[];
}

export function changesOf(catalog: Pick<Catalogue, 'resources'>, entry: Recorded): Changes {
  return changesIn(catalog.resources.map((resource) => resource.changed(entry)));
}

function changesIn(given: readonly (ResourceChange | undefined)[]): Changes {
  const changes = given.filter((one) => one !== undefined);
  return { uris: changes.flatMap((one) => one.uris), lists: changes.some((one) => one.list) ? ['resources'] : [] };
}

const lookEveryMs = 1000;

/** Checks once a second for changes outside of the store, while a client listens. Returns a function that stops it. */
export function watchOutside(
  app: Pick<Application, 'context'>,
  catalog: Pick<Catalogue, 'resources'>,
  isHeard: () => boolean,
  tell: (changes: Changes) => void,
): () => void {
  const looks = catalog.resources.flatMap((one) => one.outside?.() ?? []);
  const look = async () => {
    const context = await app.context({ as: 'system' });
    for (const one of looks) tell(changesIn([await one(context)]));
  };
  let looking = false;
  const timer = setInterval(() => {
    if (looking || !isHeard()) return;
    looking = true;
    void look()
      .catch(() => undefined) // Requests report an unavailable store; the next check is in a second.
      .finally(() => (looking = false));
  }, lookEveryMs).unref();
  return () => clearInterval(timer);
}

export function changesOfRelay({ uri, list }: RelayChange): Changes {
  return { uris: uri === undefined ? [] : [uri], lists: list === undefined ? [] : [list] };
}

const gatherMs = 10;

/** Combines changes within a short time into one message: a client reloads everything anyway. */
export function gatherChanges(tell: (changes: Changes) => void): (changes: Changes) => void {
  const uris = new Set<string>();
  const lists = new Set<Changes['lists'][number]>();
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    timer = undefined;
    const changes = { uris: [...uris], lists: [...lists] };
    uris.clear();
    lists.clear();
    tell(changes);
  };
  return (changes) => {
    for (const uri of changes.uris) uris.add(uri);
    for (const list of changes.lists) lists.add(list);
    if (uris.size + lists.size > 0) timer ??= setTimeout(flush, gatherMs).unref();
  };
}

/** The notifications of changes for a 2025-era client. */
export function messagesOf({ uris, lists }: Changes, subscribed: ReadonlySet<string>): readonly JsonObject[] {
  const updated = uris.filter((uri) => subscribed.has(uri));
  return [
    ...updated.map((uri) => ({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } })),
    ...lists.map((list) => ({ jsonrpc: '2.0', method: `notifications/${list}/list_changed` })),
  ];
}
