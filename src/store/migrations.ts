import type { Migration } from './engine.ts';
import { foundation } from './migration/0001-foundation.ts';
import { upstream } from './migration/0002-upstream.ts';
import { fleet } from './migration/0003-fleet.ts';
import { phase } from './migration/0004-phase.ts';
import { work } from './migration/0005-work.ts';

/** Oldest first. A released one is never changed; a change is a new one. */
export const migrations: readonly Migration[] = [foundation, upstream, fleet, phase, work];
