import * as z from 'zod';
import type { Context } from '../../kernel/context.ts';
import type { SourceAnswer } from './cache.ts';
import type { PhaseSettings } from '../settings.ts';
import { digestOf } from '../prompt/prompt.ts';
import { phrase, problem } from '../problem.ts';
import { rule } from '../../kernel/text/rule.ts';
import { words } from '../words.ts';

export const requestTimeoutMs = 15_000;
const maxBytes = 4 * 1024 * 1024;

const promptBody = z.object({
  version: z.coerce.number(),
  content: z.string().regex(/\S/, rule(words('the prompt is empty'))),
  title: z.string().nullish(),
});
const listBody = z.object({ prompts: z.array(z.object({ phase: z.string() })), nextCursor: z.string().nullish() });

/** The URL without user, password and query, which may contain a secret: safe to show and to use as a cache key. */
export function publicUrl(url: string): string {
  const parsed = parseUrl(url);
  if (parsed === undefined) return url;
  // Different queries can be different sets of prompts (?label=staging), so a digest keeps them apart.
  const query = parsed.search === '' ? '' : `?${digestOf(parsed.search).slice(0, 8)}`;
  return `${parsed.origin}${parsed.pathname.replace(/\/+$/, '')}${query}`;
}

function parseUrl(url: string): URL | undefined {
  return URL.canParse(url) ? new URL(url) : undefined;
}

/** Asks the API for a prompt. Never throws: an unreachable source is an answer too. */
export async function askForPrompt(
  context: Context,
  settings: PhaseSettings,
  name: string,
  etag: string | undefined,
): Promise<SourceAnswer> {
  const asked = await request(context, settings, `prompts/${encodeURIComponent(name)}`, etag);
  if ('reason' in asked) return { kind: 'down', reason: asked.reason };
  if (asked.status === 304) return { kind: 'same' };
  if (asked.status === 404 || asked.status === 410) return { kind: 'gone' };
  const parsed = promptBody.safeParse(asked.body);
  if (!parsed.success) return { kind: 'down', reason: z.prettifyError(parsed.error) };
  const { version, content, title } = parsed.data;
  const prompt = { name, version, title: title ?? undefined, content, digest: digestOf(content) };
  return { kind: 'new', prompt, etag: asked.etag };
}

export async function askForNames(context: Context, settings: PhaseSettings): Promise<readonly string[]> {
  const names: string[] = [];
  for (let cursor: string | undefined, page = 0; page < 1000; page++) {
    const query = cursor === undefined ? '' : `?cursor=${encodeURIComponent(cursor)}`;
    const asked = await request(context, settings, `prompts${query}`, undefined);
    const parsed = 'reason' in asked ? undefined : listBody.safeParse(asked.body);
    if (parsed?.success !== true) {
      const url = publicUrl(settings.source ?? '');
      const reason = 'reason' in asked ? asked.reason : `HTTP ${asked.status}`;
      throw problem.CLOUD_API_ERROR({ reason }, { url, reason });
    }
    names.push(...parsed.data.prompts.map((one) => one.phase));
    if (parsed.data.nextCursor == null) break;
    cursor = parsed.data.nextCursor;
  }
  return names.toSorted();
}

type ApiResponse =
  | { readonly status: number; readonly body: unknown; readonly etag: string | undefined }
  | { readonly reason: string };

async function request(
  context: Context,
  settings: PhaseSettings,
  path: string,
  etag: string | undefined,
): Promise<ApiResponse> {
  const base = parseUrl(settings.source ?? '');
  if (base === undefined) return { reason: context.say(phrase.noUrl({ given: settings.source ?? '' })) };
  if (base.protocol === 'http:' && !isLoopback(base.hostname) && !settings.allowHttp)
    return { reason: context.say(phrase.promptInsecure()) };
  const [route = '', query] = path.split('?');
  base.pathname = `${base.pathname.replace(/\/+$/, '')}/${route}`;
  if (query !== undefined) base.search = query;
  try {
    const response = await fetch(base, {
      headers: {
        Accept: 'application/json',
        ...(settings.apiKey !== undefined &&
          (settings.auth === 'bearer'
            ? { Authorization: `Bearer ${settings.apiKey}` }
            : { 'X-API-Key': settings.apiKey })),
        ...(etag !== undefined && { 'If-None-Match': etag }),
      },
      // Following a redirect would send the key to another host.
      redirect: 'manual',
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
    const text = await readLimited(response);
    if (text === undefined) return { reason: context.say(phrase.answerTooLarge({ most: maxBytes })) };
    const { status } = response;
    if (status === 304 || status === 404 || status === 410) return { status, body: undefined, etag: undefined };
    if (!response.ok) return { reason: `HTTP ${status}` };
    return { status, body: JSON.parse(text) as unknown, etag: response.headers.get('etag') ?? undefined };
  } catch (error) {
    return { reason: causeOf(error, context.say) };
  }
}

async function readLimited(response: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The cause of a failed request: the message of `fetch` itself is only "fetch failed". */
function causeOf(error: unknown, say: Context['say']): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof Error) return (cause as NodeJS.ErrnoException).code ?? cause.message;
  return error.name === 'TimeoutError' ? say(phrase.noAnswerWithin({ ms: requestTimeoutMs })) : error.message;
}

function isLoopback(host: string): boolean {
  return ['localhost', '[::1]'].includes(host) || /^127(\.\d{1,3}){3}$/.test(host);
}
