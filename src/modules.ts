import { change } from './change/module.ts';
import { fleet } from './fleet/module.ts';
import { gate } from './gate/module.ts';
import { journal } from './journal/module.ts';
import type { Module } from './kernel/module.ts';
import { notify } from './notify/module.ts';
import { phase } from './phase/module.ts';
import { upstream } from './upstream/module.ts';
import { work } from './work/module.ts';

/** All modules, in the order in which their tools are listed. */
export const modules: readonly Module[] = [gate, upstream, change, fleet, work, phase, journal, notify];
