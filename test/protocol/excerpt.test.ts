import { describe, expect, it } from 'vitest';
import { Excerpt } from '../../src/protocol/excerpt.ts';

/** Far more than an excerpt keeps. */
const long = 'x'.repeat(100_000);

function excerptOf(text: string, chunkBytes = 4096): Excerpt {
  const excerpt = new Excerpt();
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += chunkBytes) excerpt.add(bytes.subarray(at, at + chunkBytes));
  return excerpt;
}

describe('an excerpt of a message that is too large', () => {
  it.each([
    ['a request with its id first', { jsonrpc: '2.0', id: 7, method: 'm', params: { long } }, 7, true],
    ['a request with its id last', { method: 'm', params: { long }, jsonrpc: '2.0', id: 'a-1' }, 'a-1', true],
    ['an answer with its id first', { jsonrpc: '2.0', id: 7, result: { long } }, 7, false],
    ['an answer with its id last', { result: { long }, jsonrpc: '2.0', id: 7 }, 7, false],
    ['an error', { error: { code: 1, message: long }, jsonrpc: '2.0', id: 7 }, 7, false],
    ['an id with escapes', { id: 'a"\\b', jsonrpc: '2.0', method: 'm', params: { long } }, 'a"\\b', true],
    ['ids inside of its parameters', { jsonrpc: '2.0', id: 7, params: { id: 8, long, more: { id: 9 } } }, 7, true],
    ['a text that looks like an id', { id: 7, params: { long, text: ',"id":8}' } }, 7, true],
  ])('knows the id of %s', (_what, message, id, isRequest) => {
    for (const text of [JSON.stringify(message), JSON.stringify(message, null, 2)])
      expect(excerptOf(text).identify()).toEqual({ id, isRequest });
  });

  it.each([
    ['a notification', { jsonrpc: '2.0', method: 'm', params: { long } }],
    ['an id that is neither a text nor an integer', { id: 1.5, method: 'm', params: { long } }],
    ['an id inside of its parameters alone', { method: 'm', params: { id: 8, long, more: { id: 9 } } }],
    ['a text that looks like an id', { method: 'm', params: { long, text: ',"id":8}' } }],
    ['a list', [{ id: 7, long }]],
  ])('knows no id of %s', (_what, message) => {
    expect(excerptOf(JSON.stringify(message)).identify()).toBeUndefined();
  });

  it.each([
    ['a key', String.raw`{"id":7,"\q":{"a":"${long}"}}`],
    ['a number', `{"id":7,"n":1-1,"params":{"a":"${long}"}}`],
    ['the last member', String.raw`{"params":{"a":"${long}"},"id":"\q"}`],
  ])('knows nothing of a message where %s is no JSON', (_what, text) => {
    expect(excerptOf(text).identify()).toBeUndefined();
  });

  it('does not take the end of one half for the end of the message', () => {
    const half = `{"method":"m","params":{"a":"${long}","b":1,"id":8}`;
    expect(excerptOf(half).identify(true)).toBeUndefined();
    expect(excerptOf(`{"id":7,${half.slice(1)}`).identify(true)).toEqual({ id: 7, isRequest: true });
  });
});
