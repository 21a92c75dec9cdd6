import type { Context } from './context.ts';
import { definePort } from './port.ts';
import type { Recorded } from './store/store.ts';
import type { Sentence } from './text/text.ts';

/** The topics of notifications that a person can subscribe to. */
export const topics = ['waiting', 'failed', 'blocked', 'finished'] as const;

export type Topic = (typeof topics)[number];

export interface Notice {
  readonly topic: Topic;
  /** The run, task, agent or group that it is about. */
  readonly subject: string;
  /** Its name for people. */
  readonly title: string;
  readonly text: Sentence;
  /** The path of its page in the dashboard. */
  readonly path: string;
}

/** Something that a person must take care of, beside the runs that wait for a decision. */
export interface OpenMatter {
  readonly kind: 'task' | 'handoff' | 'agent' | 'upstream';
  readonly subject: string;
  readonly title: string;
  readonly text: Sentence;
  readonly path: string;
  readonly since: string;
}

/** Turns a module's journal entries into notifications. */
export interface NoticeSource {
  /** The kinds of entries that it handles. */
  readonly kinds: readonly string[];
  /** The notifications of an entry; none if the matter was settled in the meantime. */
  tell(context: Context, entry: Recorded): Promise<readonly Notice[]>;
  /** The open matters, newest first, at most `most` of each kind. */
  open?(context: Context, most: number): Promise<readonly OpenMatter[]>;
}

/** The notification sources of all modules. */
export const noticeSources = definePort<readonly NoticeSource[]>('notices', []);
