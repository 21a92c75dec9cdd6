import type { Context } from '../kernel/context.ts';
import { definePort } from '../kernel/port.ts';

interface ProfilePage {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Where the next page begins. */
  readonly next: string | undefined;
}

type Profiles = (context: Context, limit: number, cursor: string | undefined) => Promise<ProfilePage>;

/** The identities of agents, which the work module keeps. */
export const profiles = definePort<Profiles>('fleet.profiles', () => Promise.resolve({ rows: [], next: undefined }));
