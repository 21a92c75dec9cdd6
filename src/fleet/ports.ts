import type { Context } from '../kernel/context.ts';
import { definePort } from '../kernel/port.ts';

interface ProfilePage {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** The cursor of the next page. */
  readonly next: string | undefined;
}

type Profiles = (context: Context, limit: number, cursor: string | undefined) => Promise<ProfilePage>;

/** The agents' identities, which the work module provides. */
export const profiles = definePort<Profiles>('fleet.profiles', () => Promise.resolve({ rows: [], next: undefined }));
