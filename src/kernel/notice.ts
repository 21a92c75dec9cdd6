import type { Context } from './context.ts';
import { definePort } from './port.ts';
import type { Recorded } from './store/store.ts';
import type { Sentence } from './text/text.ts';

/** What somebody may want to be told of while they look elsewhere. */
export const topics = ['waiting', 'failed', 'blocked', 'finished'] as const;

export type Topic = (typeof topics)[number];

export interface Notice {
  readonly topic: Topic;
  /** The run, task, agent or group that it is about. */
  readonly subject: string;
  /** What people call it. */
  readonly title: string;
  readonly text: Sentence;
  /** Where the dashboard shows it. */
  readonly path: string;
}

/** Something that goes on only if a person looks after it, beside the runs that wait for a decision. */
export interface OpenMatter {
  readonly kind: 'task' | 'handoff' | 'agent' | 'upstream';
  readonly subject: string;
  readonly title: string;
  readonly text: Sentence;
  readonly path: string;
  readonly since: string;
}

/** What entries of the journal are to somebody who looks elsewhere. Each module knows its own kinds. */
export interface NoticeSource {
  readonly kinds: readonly string[];
  /** Nothing where it was settled meanwhile. */
  tell(context: Context, entry: Recorded): Promise<readonly Notice[]>;
  /** What is open now, newest first, at most so many of a kind. */
  open?(context: Context, most: number): Promise<readonly OpenMatter[]>;
}

/** Those of all modules. */
export const noticeSources = definePort<readonly NoticeSource[]>('notices', []);
