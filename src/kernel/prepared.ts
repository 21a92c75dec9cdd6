import type { Project } from './context.ts';
import { definePort } from './port.ts';

/** The clients that a person prepared in this project, so that they ask before they use a tool. */
export const clientsWithHooks = definePort<(project: Project) => readonly string[]>('kernel.prepared', () => []);
