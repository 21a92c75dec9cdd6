import type { Context } from './context.ts';
import type { Principal } from './principal.ts';

export interface EndpointRequest {
  readonly method: string;
  /** The values of the variables in the endpoint's path. */
  readonly variables: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  /** The owner of the request's token; undefined for a public endpoint. */
  readonly principal: Principal | undefined;
}

export interface EndpointResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string is sent as it is, anything else as JSON. */
  readonly body?: unknown;
}

/** A plain HTTP endpoint of the daemon, beside MCP. `up` collects them from the modules. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** `/hook/{client}`; a variable never crosses a slash. */
  readonly path: string;
  /** `public`: no token. `token`: any valid one. `human`: a person's. */
  readonly access: 'public' | 'token' | 'human';
  handle(request: EndpointRequest): Promise<EndpointResponse>;
}

/** A WebSocket as modules see it. */
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

/** Gives an endpoint the context of the project that a request names; undefined if there is no such project. */
export interface EndpointHost {
  /** The context with the owner of the request's token as actor. */
  contextFor(request: Pick<EndpointRequest, 'query' | 'principal'>): Promise<Context | undefined>;
  /** The context with the product itself as actor. */
  systemContext(project: string | undefined): Promise<Context | undefined>;
}
