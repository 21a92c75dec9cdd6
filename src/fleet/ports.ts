import type { Context } from '../kernel/context.ts';
import { definePort } from '../kernel/port.ts';

type Profiles = (context: Context) => Promise<readonly Readonly<Record<string, unknown>>[]>;

/** The identities of agents, which the work module keeps. */
export const profiles = definePort<Profiles>('fleet.profiles', () => Promise.resolve([]));
