import { createHash } from 'node:crypto';
import { parse } from 'yaml';
import { Problem, problem } from '../../kernel/problem.ts';
import { messageOf } from '../../base/failure.ts';
import type { Context } from '../../kernel/context.ts';
import { phrase } from '../problem.ts';
import { rule } from '../../kernel/text/rule.ts';
import { words } from '../words.ts';

export interface Prompt {
  readonly name: string;
  readonly version: number;
  readonly title: string | undefined;
  readonly content: string;
  readonly digest: string;
}

export interface Loaded extends Prompt {
  readonly fetchedAt: string;
  /** True if nothing had to be fetched. */
  readonly cached: boolean;
  /** The reason why the text may be out of date. */
  readonly warning?: string;
}

const namePattern = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}$/u;

/** Checks a name. Names become file names and parts of URLs, so a slash or a leading dot is not allowed. */
export function isPromptName(name: string): boolean {
  return namePattern.test(name);
}

export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Parses Markdown with an optional front matter of `version` and `title`. */
export function parsePrompt(name: string, text: string, file: string): Prompt {
  const plain = text.replace(/^\uFEFF/, '');
  const head = /^---[ \t]*\r?\n([\s\S]*?)(?:^|\r?\n)---[ \t]*(?:\r?\n|$)/.exec(plain);
  const content = head === null ? plain : plain.slice(head[0].length).replace(/^(?:[ \t]*\r?\n)+/, '');
  const fields = head === null ? {} : frontMatter(head[1] ?? '', file);
  return {
    name,
    version: versionOf(fields['version'], file),
    title: typeof fields['title'] === 'string' ? fields['title'] : undefined,
    content,
    digest: digestOf(content),
  };
}

function frontMatter(text: string, file: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = parse(text) ?? {};
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch (error) {
    throw broken(file, messageOf(error));
  }
  throw broken(file, rule(words('the front matter must be names and values')));
}

function versionOf(value: unknown, file: string): number {
  if (value === undefined || value === null) return 1;
  const version = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof version !== 'number' || !Number.isFinite(version))
    throw broken(file, rule(words('version must be a number')));
  return version;
}

export function emptyPrompt(context: Pick<Context, 'say'>, file: string): Problem {
  return broken(file, context.say(phrase.promptEmpty()));
}

function broken(file: string, message: string): Problem {
  return problem.VALIDATION_ERROR(
    { errors: [{ path: file, message }] },
    { file, validation_errors: [{ path: file, message }] },
  );
}
