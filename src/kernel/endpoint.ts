import type { Context } from './context.ts';
import type { Principal } from './principal.ts';

export interface EndpointRequest {
  readonly method: string;
  /** The parts of the path that stand in braces in the endpoint's path. */
  readonly variables: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  /** Absent where the endpoint is public. */
  readonly principal: Principal | undefined;
}

export interface EndpointResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string as it is, anything else as JSON. */
  readonly body?: unknown;
}

/** A plain HTTP address of the daemon, beside MCP. `up` collects them from the modules. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** `/hook/{client}`; a variable never crosses a slash. */
  readonly path: string;
  /** `public`: no token. `token`: any valid one. `human`: a person's. */
  readonly access: 'public' | 'token' | 'human';
  handle(request: EndpointRequest): Promise<EndpointResponse>;
}

/** What a WebSocket is to a module. */
export interface Socket {
  send(text: string): void;
  close(): void;
  onMessage(listener: (text: string) => void): void;
  onClose(listener: () => void): void;
}

export interface SocketEndpoint {
  readonly path: string;
  open(socket: Socket, request: Pick<EndpointRequest, 'query' | 'principal'>): void;
}

/** How an endpoint reaches the project that a request means; undefined where there is no such project. */
export interface EndpointHost {
  /** As whoever holds the request's token. */
  contextFor(request: Pick<EndpointRequest, 'query' | 'principal'>): Promise<Context | undefined>;
  /** As the product itself. */
  systemContext(project: string | undefined): Promise<Context | undefined>;
}
