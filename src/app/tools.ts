import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ListedTool } from '../kernel/application.ts';

/** The file name, set by the build. It contains a digest, so that a running daemon never reads the list of a newer build. */
declare const TOOLS_FILE: string;

/** Reads the tool list that the build wrote, so that listing loads neither zod nor any operation. */
export function readTools(): readonly ListedTool[] {
  return JSON.parse(readFileSync(resolve(import.meta.dirname, TOOLS_FILE), 'utf8')) as readonly ListedTool[];
}
