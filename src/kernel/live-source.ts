import type { Context } from './context.ts';
import { definePort } from './port.ts';
import type { Recorded } from './store/store.ts';

/** What one who watches is sent. `cursor` is where to go on after a break. */
export interface LiveEvent {
  readonly type: string;
  readonly cursor: number;
  readonly timestamp: string;
  readonly data: unknown;
}

/** What a module shows to those who watch the project, beside what the fleet itself shows. */
export interface LiveSource {
  /** What happened last, oldest first. */
  recent(context: Context): Promise<readonly LiveEvent[]>;
  /** What an entry of the journal is to one who watches; undefined where it is not this module's. */
  tell(context: Context, entry: Recorded): Promise<LiveEvent | undefined>;
}

const silent: LiveSource = { recent: () => Promise.resolve([]), tell: () => Promise.resolve(undefined) };

/** The phases of the project. */
export const phaseEvents = definePort<LiveSource>('phase.events', silent);
