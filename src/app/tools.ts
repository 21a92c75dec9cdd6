import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ListedTool } from '../kernel/application.ts';

/** The build puts its name here. A digest is part of it, so that a running daemon never reads the next build's list. */
declare const TOOLS_FILE: string;

/** Our tools as the build wrote them down: listing them needs neither zod nor any operation. */
export function readTools(): readonly ListedTool[] {
  return JSON.parse(readFileSync(resolve(import.meta.dirname, TOOLS_FILE), 'utf8')) as readonly ListedTool[];
}
