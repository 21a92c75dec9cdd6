import type { Context } from '../kernel/context.ts';
import type { Endpoint, EndpointHost, EndpointRequest, EndpointResponse } from '../kernel/endpoint.ts';
import { cutPage, decodeCursor, decodePosition, defaultPageSize, maxPageSize } from '../kernel/store/page.ts';
import { isProblem, personNeeded } from '../kernel/problem.ts';
import { unifiedDiff } from '../base/difference.ts';
import { invalidTextProblem } from '../kernel/invoke.ts';
import { isJsonObject } from '../base/json-object.ts';
import { findInvalidText } from '../kernel/json-limits.ts';
import { moveLabel, removeLabel } from './prompt/label.ts';
import { publish, readPrompt, readVersions } from './prompt/library.ts';
import { type Prompt, digestOf, isPromptName, parsePrompt } from './prompt/prompt.ts';
import { loadPrompt, pickPrompt, sourceOf } from './source/sources.ts';
import { invalidInput, phrase, problem } from './problem.ts';
import { settings } from './settings.ts';

/** The prompt API: serves a project's prompts to other Sekisho servers and to any client with a token. */
export function promptEndpoints(host: EndpointHost): readonly Endpoint[] {
  const endpoint = (
    method: Endpoint['method'],
    path: string,
    handle: (context: Context, request: EndpointRequest) => Promise<EndpointResponse>,
  ): Endpoint => ({
    method,
    path,
    access: method === 'GET' ? 'token' : 'human',
    handle: async (request) => {
      try {
        const context = await host.contextFor(request);
        if (context === undefined)
          return { status: 404, body: { error: 'There is no such project; name one: ?project=/path/to/it' } };
        if (method !== 'GET' && !context.actor.person) throw personNeeded(context.actor, phrase.changePrompts());
        refuseInvalidText(context, request);
        return await handle(context, request);
      } catch (error) {
        if (!isProblem(error)) throw error;
        const body = { error: { code: error.code, message: error.in('en'), details: error.details ?? {} } };
        return { status: statuses[error.code] ?? 400, body };
      }
    },
  });
  return [
    endpoint('GET', '/prompts', listAll),
    endpoint('GET', '/prompts/{prompt}', readOne),
    endpoint('PUT', '/prompts/{prompt}', publishOne),
    endpoint('GET', '/prompts/{prompt}/versions', listVersions),
    endpoint('GET', '/prompts/{prompt}/diff', readDiff),
    endpoint('PUT', '/prompts/{prompt}/labels/{label}', pointLabel),
    endpoint('DELETE', '/prompts/{prompt}/labels/{label}', dropLabel),
  ];
}

/** Refuses invalid text, as for every operation. In a JSON body it checks every text, including escaped ones. */
function refuseInvalidText(context: Context, { variables, body }: EndpointRequest): void {
  const invalidText = findInvalidText({ ...variables, body: body === '' ? undefined : (jsonOf(body) ?? body) });
  if (invalidText !== undefined) throw invalidTextProblem(invalidText, context);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // The body is Markdown or broken JSON.
  }
}

const statuses: Readonly<Record<string, number | undefined>> = {
  PROMPT_NOT_FOUND: 404,
  LABEL_NOT_FOUND: 404,
  VERSION_CONFLICT: 412,
  CLOUD_API_ERROR: 502,
  FORBIDDEN: 403,
  STORE_UNAVAILABLE: 503,
  STORE_READ_ONLY: 503,
  STORE_BUSY: 503,
  STORE_REMOVED: 503,
  STORE_FULL: 507,
};

async function listAll(context: Context, { query }: EndpointRequest): Promise<EndpointResponse> {
  const source = sourceOf(context);
  const limit = limitOf(query);
  const after = decodeCursor(query.get('cursor') ?? undefined) ?? '';
  const names = (await source.names(context)).filter((name) => name > after).toSorted();
  const page = cutPage(names.slice(0, limit + 1), limit, (name) => name);
  const prompts = await Promise.all(page.rows.map(async (name) => headOf(await loadPrompt(context, source, name))));
  return { status: 200, body: { prompts, ...(page.next !== undefined && { nextCursor: page.next }) } };
}

async function readOne(context: Context, { variables, query, headers }: EndpointRequest): Promise<EndpointResponse> {
  const name = variables['prompt'] ?? '';
  const version = query.get('version');
  const label = query.get('label');
  const source = sourceOf(context);
  // A withdrawn prompt has versions but no label that serves one: the status is 410, not 404.
  const gone = async (error: unknown) => {
    const withdrawn =
      isProblem(error) &&
      error.code === 'PROMPT_NOT_FOUND' &&
      settings.of(context).phases.source === 'store' &&
      (await readPrompt(context, name, { label: 'latest' })) !== undefined;
    if (withdrawn) return undefined;
    throw error;
  };
  const found = await (
    version === null && label === null
      ? loadPrompt(context, source, name)
      : pickPrompt(context, name, version === null ? { label: label ?? '' } : { version: Number(version) })
  ).catch(gone);
  if (found === undefined)
    return {
      status: 410,
      body: { error: { code: 'PROMPT_NOT_FOUND', message: `${name} was withdrawn`, details: {} } },
    };
  const etag = etagOf(found);
  const known = headers['if-none-match'];
  const caching = { ETag: etag, 'Cache-Control': 'no-cache' };
  if (typeof known === 'string' && known.split(/\s*,\s*/).includes(etag)) return { status: 304, headers: caching };
  return { status: 200, headers: caching, body: { ...headOf(found), content: found.content } };
}

async function publishOne(context: Context, request: EndpointRequest): Promise<EndpointResponse> {
  const name = request.variables['prompt'] ?? '';
  if (!isPromptName(name)) throw invalidInput('prompt', context.say(phrase.promptName({ name })));
  const { content, title, note, labels } = bodyOf(request);
  const parsed = parsePrompt(name, content, 'content');
  const newest = await readPrompt(context, name, { label: 'latest' });
  const known = request.headers['if-match'];
  if (typeof known === 'string' && (newest === undefined || etagOf(newest) !== known))
    throw problem.VERSION_CONFLICT({ prompt: name, expected: 0, current: newest?.version ?? 0 });
  const made = await publish(context, {
    name,
    content: parsed.content,
    title: title ?? parsed.title,
    note,
    labels: labels ?? ['production'],
    expected: typeof known === 'string' ? newest?.version : undefined,
  });
  return { status: 201, headers: { ETag: etagOf(made) }, body: headOf(made) };
}

async function listVersions(context: Context, { variables, query }: EndpointRequest): Promise<EndpointResponse> {
  const limit = limitOf(query);
  const before = decodePosition(query.get('cursor') ?? undefined) ?? Number.MAX_SAFE_INTEGER;
  const rows = await readVersions(context, variables['prompt'] ?? '', before, limit + 1);
  const page = cutPage(rows, limit, (one) => String(one.version));
  const versions = page.rows.map((one) => ({ ...headOf(one), note: one.note ?? null, actor: one.actor, at: one.at }));
  return { status: 200, body: { versions, ...(page.next !== undefined && { nextCursor: page.next }) } };
}

async function readDiff(context: Context, { variables, query }: EndpointRequest): Promise<EndpointResponse> {
  const name = variables['prompt'] ?? '';
  const [from, to] = [Number(query.get('from')), Number(query.get('to'))];
  const before = await pickPrompt(context, name, { version: from });
  const after = await pickPrompt(context, name, to > 0 ? { version: to } : { label: 'latest' });
  const names = [`${name} version ${before.version}`, `${name} version ${after.version}`] as const;
  const diff = unifiedDiff(before.content, after.content, names);
  return { status: 200, body: { phase: name, from: before.version, to: after.version, diff } };
}

async function pointLabel(context: Context, request: EndpointRequest): Promise<EndpointResponse> {
  const { prompt = '', label = '' } = request.variables;
  const { version } = json(request.body);
  if (typeof version !== 'number') throw invalidInput('version', 'a number');
  const moved = await moveLabel(context, prompt, label, version);
  return {
    status: 200,
    body: { phase: prompt, label, version: moved.version, previousVersion: moved.previous ?? null },
  };
}

async function dropLabel(context: Context, { variables }: EndpointRequest): Promise<EndpointResponse> {
  await removeLabel(context, variables['prompt'] ?? '', variables['label'] ?? '');
  return { status: 204 };
}

/** Parses the body: JSON, or the Markdown itself. */
function bodyOf({ headers, body }: EndpointRequest) {
  const none = { title: undefined, note: undefined, labels: undefined };
  if (/^text\/markdown\b/.test(String(headers['content-type'] ?? ''))) return { ...none, content: body };
  const { content, title, note, labels } = json(body);
  if (typeof content !== 'string') throw invalidInput('content', 'a text');
  const isLabel = (one: unknown): one is string => typeof one === 'string' && isPromptName(one) && one !== 'latest';
  if (labels !== undefined && !(Array.isArray(labels) && labels.every(isLabel)))
    throw invalidInput('labels', 'a list of names');
  return {
    content,
    title: typeof title === 'string' ? title : undefined,
    note: typeof note === 'string' ? note : undefined,
    labels,
  };
}

function json(text: string): Readonly<Record<string, unknown>> {
  const value = jsonOf(text);
  if (isJsonObject(value)) return value;
  throw invalidInput('body', 'a JSON object');
}

function headOf(prompt: Prompt): Readonly<Record<string, unknown>> {
  const { name, version, title, digest } = prompt;
  return { phase: name, version, title: title ?? null, digest };
}

function etagOf({ version, title, content }: Prompt): string {
  return `"${digestOf(JSON.stringify([version, title ?? null, content])).slice(0, 32)}"`;
}

function limitOf(query: URLSearchParams): number {
  return Math.min(maxPageSize, Math.max(1, Number(query.get('limit')) || defaultPageSize));
}
