import type { JsonObject } from '../../base/json-object.ts';
import type { Caller, Wire } from '../../kernel/relay.ts';
import { uriTemplate } from '../../base/template.ts';
import type { ClientConnection, OfferKind } from '../link/client-connection.ts';
import type { Upstream } from '../link/upstream.ts';
import type { Connection } from '../wire/connection.ts';
import type { RelayParts } from './forward.ts';

/** An upstream that a caller may use, with its live connection. */
export interface OpenUpstream {
  readonly upstream: Upstream;
  readonly clientConnection: ClientConnection;
  readonly connection: Connection;
}

export type RelayedOffers = ReturnType<typeof createOffers>;

export function createOffers(parts: RelayParts) {
  const { upstreams, naming } = parts;

  /** Returns the upstreams that this caller may use now; ungated ones get a moment to connect. */
  const openFor = async (caller: Caller, list?: 'resources' | 'prompts'): Promise<readonly OpenUpstream[]> => {
    const open = await Promise.all(
      upstreams.map(async (upstream) => {
        const { gated } = upstream.settings;
        const locked = gated && !(await parts.activations.has(caller, upstream.name));
        const clientConnection = upstream.getConnection(caller);
        const connection = locked
          ? undefined
          : gated
            ? clientConnection.link.connection
            : await clientConnection.connectBriefly();
        if (connection !== undefined) return [{ upstream, clientConnection, connection }];
        if (list !== undefined) clientConnection.missing.add(list);
        return [];
      }),
    );
    return open.flat();
  };

  return {
    open: (wire: Wire) => openFor(wire),
    async list(kind: OfferKind, caller: Caller): Promise<readonly JsonObject[]> {
      const open = await openFor(caller, kind === 'prompts' ? 'prompts' : 'resources');
      const lists = await Promise.all(
        open.map(async ({ upstream, clientConnection, connection }) => {
          const all = await clientConnection.readOffers(kind, connection);
          if (kind !== 'prompts') return all;
          return all.map((one) => ({ ...one, name: naming.shown(upstream.name, String(one['name'])) }));
        }),
      );
      return lists.flat();
    },
    /** Finds the upstream of a prompt and the prompt's name there. */
    async prompt(shown: unknown, wire: Wire) {
      for (const open of await openFor(wire)) {
        const prompts = await open.clientConnection.readOffers('prompts', open.connection);
        const found = prompts.find((one) => naming.shown(open.upstream.name, String(one['name'])) === shown);
        if (found !== undefined) return { open, name: String(found['name']) };
      }
      return undefined;
    },
    async template(uri: unknown, wire: Wire) {
      for (const open of await openFor(wire)) {
        const templates = await open.clientConnection.readOffers('resourceTemplates', open.connection);
        if (templates.some((one) => one['uriTemplate'] === uri)) return open;
      }
      return undefined;
    },
    /** Returns the upstreams that may have this resource, the likeliest first. */
    async owners(uri: string, wire: Wire): Promise<readonly OpenUpstream[]> {
      const all = await openFor(wire);
      const open = all.filter((one) => one.connection.greeting.capabilities['resources'] !== undefined);
      const ranks = await Promise.all(open.map((one) => rankOf(one, uri)));
      return open
        .map((one, at) => ({ one, rank: ranks[at] ?? 0 }))
        .toSorted((a, b) => b.rank - a.rank)
        .map(({ one }) => one);
    },
  };
}

/** Ranks an upstream as owner of a resource: in its list, matching a template, or neither, as lists may be incomplete. */
async function rankOf({ clientConnection, connection }: OpenUpstream, uri: string): Promise<number> {
  const listed = await clientConnection.readOffers('resources', connection);
  if (listed.some((entry) => entry['uri'] === uri)) return 2;
  const templates = await clientConnection.readOffers('resourceTemplates', connection);
  return templates.some((entry) => uriTemplate(String(entry['uriTemplate']))(uri) !== undefined) ? 1 : 0;
}
