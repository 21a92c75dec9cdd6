import type { Project } from './context.ts';
import { definePort } from './port.ts';

/** The clients in which a person installed our hooks for this project. */
export const clientsWithHooks = definePort<(project: Project) => readonly string[]>('kernel.prepared', () => []);
