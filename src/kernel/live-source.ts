import type { Context } from './context.ts';
import { definePort } from './port.ts';
import type { Recorded } from './store/store.ts';

/** An event of the live stream. A client that reconnects continues after its `cursor`. */
export interface LiveEvent {
  readonly type: string;
  readonly cursor: number;
  readonly timestamp: string;
  readonly data: unknown;
}

/** A module's events for the live stream of a project, beside those of the fleet. */
export interface LiveSource {
  /** The latest events, oldest first. */
  recent(context: Context): Promise<readonly LiveEvent[]>;
  /** The event for a journal entry; undefined if the entry is not this module's. */
  tell(context: Context, entry: Recorded): Promise<LiveEvent | undefined>;
}

const silent: LiveSource = { recent: () => Promise.resolve([]), tell: () => Promise.resolve(undefined) };

/** The live events of the phase module. */
export const phaseEvents = definePort<LiveSource>('phase.events', silent);
