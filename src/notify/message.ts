import type { Topic } from '../kernel/notice.ts';
import type { Target } from './settings.ts';

/** A notification, before it is formatted for a target. */
export interface Message {
  /** Identical at every attempt, so that a receiver can ignore duplicates. */
  readonly id: string;
  readonly topic: Topic;
  readonly at: string;
  readonly project: string;
  readonly subject: string;
  readonly title: string;
  readonly text: string;
  readonly link: string;
}

interface FormattedRequest {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

const json = { 'Content-Type': 'application/json' };

/** The request of each kind of service, without the signature. */
export const formats: Readonly<Record<Target['type'], (message: Message) => FormattedRequest>> = {
  json: (message) => ({ body: JSON.stringify(message), headers: json }),
  slack: ({ title, text, link }) => ({
    body: JSON.stringify({ text: `*${forSlack(title)}*\n${forSlack(text)}\n${link}` }),
    headers: json,
  }),
  // Mentions are off, because agents write titles.
  discord: ({ title, text, link }) => ({
    body: JSON.stringify({ content: `**${title}**\n${text}\n${link}`, allowed_mentions: { parse: [] } }),
    headers: json,
  }),
  ntfy: ({ topic, title, text, link }) => ({
    body: text,
    headers: { Title: encodedWord(title), Tags: topic, Click: link, ...(topic === 'waiting' && { Priority: 'high' }) },
  }),
};

/** Escapes the characters of Slack's markup, such as `<!channel>`. */
function forSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Encodes a header value, which must be ASCII (RFC 2047). */
function encodedWord(text: string): string {
  return `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`;
}

/** One line without control and format characters (bidirectional, zero-width), because agents write titles. */
export function plainLine(text: string, most: number): string {
  const line = text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  return line.length <= most ? line : `${line.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
