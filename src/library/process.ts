import type { Step, StepResult } from './walk-step.ts';
import { createWalker } from './walk.ts';
import { readDefinition } from '../gate/definition/file.ts';
import { translateFinding } from '../gate/definition/finding.ts';

export type { Step, StepResult };

export interface TextOptions {
  /** The name of the file in findings; absent: `process.yaml`. */
  readonly file?: string;
  /** The language of messages; absent: `en`. */
  readonly lang?: 'en' | 'ja';
}

/** A fault of a process. A process with an error cannot be started; a warning is advice. */
export interface Finding {
  readonly code: string;
  readonly severity: 'error' | 'warning';
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly remedy: string;
}

export interface WalkResult {
  readonly state: string;
  readonly isFinal: boolean;
  readonly context: Readonly<Record<string, unknown>>;
  readonly steps: readonly StepResult[];
}

export interface WalkOptions extends TextOptions {
  /** Initial context values in addition to those of the process. */
  readonly context?: Readonly<Record<string, unknown>>;
}

/** Lists all faults of a process, as `sekisho gate lint` reports them. */
export function lint(text: string, { file = 'process.yaml', lang = 'en' }: TextOptions = {}): readonly Finding[] {
  return readDefinition(file, text).findings.map((one) => translateFinding(one, (sentence) => sentence(lang)));
}

/** Walks through a process with the gate's own decisions. It reads no file and runs no program: guards see the steps' values. */
export async function walk(text: string, steps: readonly Step[], options: WalkOptions = {}): Promise<WalkResult> {
  const { file = 'process.yaml', lang = 'en', context = {} } = options;
  const { definition } = readDefinition(file, text);
  if (definition === undefined) {
    const errors = lint(text, { file, lang }).filter((one) => one.severity === 'error');
    throw new Error(errors.map((one) => `${one.file}:${one.line}:${one.column} ${one.code} ${one.message}`).join('\n'));
  }
  const walker = createWalker(definition, context, (sentence) => sentence(lang));
  const results: StepResult[] = [];
  for (const step of steps) results.push(await walker.take(step));
  const { state, isFinal, context: values } = walker.position();
  return { state, isFinal, context: values, steps: results };
}
