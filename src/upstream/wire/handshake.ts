import type { JsonObject } from '../../base/json-object.ts';
import { version as ownVersion } from '../../base/version.ts';
import { handshakeRevisions, sessionlessRevision } from '../../protocol/revision.ts';
import { causes } from './cause.ts';
import { Lost } from './message.ts';
import type { Peer } from './peer.ts';

/** An upstream's description of itself. */
export interface Greeting {
  readonly era: 'legacy' | 'modern';
  readonly version: string;
  readonly server: { readonly name: string; readonly version: string };
  readonly capabilities: JsonObject;
  readonly instructions: string | undefined;
}

export interface Introduction {
  /** Returns our client's capabilities, and so what the upstream may ask of it. */
  readonly capabilities: (era: Greeting['era']) => JsonObject;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

const meta = 'io.modelcontextprotocol/';
const clientInfo = { name: 'sekisho', version: ownVersion };

export async function initialize(peer: Peer, introduction: Introduction): Promise<Greeting> {
  const { result } = await peer.request(
    'initialize',
    { protocolVersion: handshakeRevisions[0], capabilities: introduction.capabilities('legacy'), clientInfo },
    introduction,
  );
  const version = String(result['protocolVersion']);
  if (!handshakeRevisions.includes(version)) throw new Lost(causes.unknownVersion(version), false);
  peer.transport.setProtocolVersion?.(version);
  await peer.notify('notifications/initialized');
  return greeting('legacy', version, result, result['serverInfo']);
}

/** Starts the 2026 era, which has no session: every request says who asks. */
export async function discover(peer: Peer, introduction: Introduction): Promise<Greeting> {
  peer.envelope = {
    [`${meta}protocolVersion`]: sessionlessRevision,
    [`${meta}clientInfo`]: clientInfo,
    [`${meta}clientCapabilities`]: introduction.capabilities('modern'),
  };
  const { result } = await peer.request('server/discover', {}, introduction);
  const versions = (result['supportedVersions'] ?? []) as readonly string[];
  if (!versions.includes(sessionlessRevision)) throw new Lost(causes.unknownVersions(versions), false);
  peer.transport.setProtocolVersion?.(sessionlessRevision);
  const about = (result['_meta'] as JsonObject | undefined)?.[`${meta}serverInfo`];
  return greeting('modern', sessionlessRevision, result, about);
}

function greeting(era: Greeting['era'], version: string, result: JsonObject, about: unknown): Greeting {
  const server = (about ?? {}) as Readonly<Record<string, string>>;
  return {
    era,
    version,
    server: { name: server['name'] ?? 'unknown', version: server['version'] ?? '' },
    capabilities: (result['capabilities'] ?? {}) as JsonObject,
    instructions: typeof result['instructions'] === 'string' ? result['instructions'] : undefined,
  };
}
