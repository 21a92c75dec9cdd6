import type { JsonObject } from '../../src/base/json-object.ts';

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
/** A WAV header without samples. */
const silence = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=';

export const image = { type: 'image', data: pixel, mimeType: 'image/png' };
export const audio = { type: 'audio', data: silence, mimeType: 'audio/wav' };

export function text(words: string): JsonObject {
  return { type: 'text', text: words };
}

export function embedded(uri: string, mimeType: string, words: string): JsonObject {
  return { type: 'resource', resource: { uri, mimeType, text: words } };
}

export function said(words: string): JsonObject {
  return { content: [text(words)] };
}

const documents: Readonly<Record<string, JsonObject>> = {
  'test://static-text': { mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
  'test://static-binary': { mimeType: 'image/png', blob: pixel },
  'test://watched-resource': { mimeType: 'text/plain', text: 'A resource that clients subscribe to.' },
};

export const resources: readonly JsonObject[] = Object.entries(documents).map(([uri, { mimeType }]) => ({
  uri,
  name: uri.slice('test://'.length),
  description: 'A resource of the conformance suite',
  mimeType,
}));

export const resourceTemplates: readonly JsonObject[] = [
  {
    uriTemplate: 'test://template/{id}/data',
    name: 'template',
    description: 'A resource template of the conformance suite',
    mimeType: 'application/json',
  },
];

export function readResource(uri: string): JsonObject | undefined {
  const document = Object.hasOwn(documents, uri) ? documents[uri] : undefined;
  if (document !== undefined) return { contents: [{ uri, ...document }] };
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id === undefined) return undefined;
  const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
  return { contents: [{ uri, mimeType: 'application/json', text: data }] };
}
