import { definePort } from './port.ts';
import type { Sentence } from './text.ts';

/** How a program is started: as it is, or in a sandbox. */
export interface Launch {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** To follow the three usual ones. */
  readonly descriptors: readonly number[];
  /** The sandbox's name; undefined where there is none around it. */
  readonly sandbox: string | undefined;
  /** As soon as it was started, or could not be. */
  started(): void;
  /** When it has ended. */
  ended(): Promise<void>;
}

export interface Start {
  readonly line: readonly string[];
  /** The only folder that is writable inside. */
  readonly tree: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A launch, or why there must be a sandbox and is none. */
export type Confine = (start: Start) => Promise<Launch | { readonly refused: Sentence }>;

/** Whatever starts a program in a project asks this first: what an agent wrote in a sandbox must not run outside of one. */
export const confinePort = definePort<Confine>('kernel.confine', (start) => Promise.resolve(bareLaunch(start)));

export function bareLaunch({ line, env }: Start): Launch {
  const [program = '', ...args] = line;
  const ended = () => Promise.resolve();
  return { program, args, env, descriptors: [], sandbox: undefined, started: () => undefined, ended };
}
