import type { Topic } from '../kernel/notice.ts';
import type { Target } from './settings.ts';

/** What is told, the same for every target and at every attempt. */
export interface Message {
  /** The same at every attempt, so that a receiver knows what it has already. */
  readonly id: string;
  readonly topic: Topic;
  readonly at: string;
  readonly project: string;
  readonly subject: string;
  readonly title: string;
  readonly text: string;
  /** Of the dashboard. */
  readonly link: string;
}

interface Sent {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

const json = { 'Content-Type': 'application/json' };

/** What each kind of service wants to get, without what proves who sent it. */
export const formats: Readonly<Record<Target['type'], (message: Message) => Sent>> = {
  json: (message) => ({ body: JSON.stringify(message), headers: json }),
  slack: ({ title, text, link }) => ({
    body: JSON.stringify({ text: `*${forSlack(title)}*\n${forSlack(text)}\n${link}` }),
    headers: json,
  }),
  // Without mentions: an agent wrote the title.
  discord: ({ title, text, link }) => ({
    body: JSON.stringify({ content: `**${title}**\n${text}\n${link}`, allowed_mentions: { parse: [] } }),
    headers: json,
  }),
  ntfy: ({ topic, title, text, link }) => ({
    body: text,
    headers: { Title: encodedWord(title), Tags: topic, Click: link, ...(topic === 'waiting' && { Priority: 'high' }) },
  }),
};

/** Its own signs begin with these, `<!channel>` for one. */
function forSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** A header holds no other characters (RFC 2047). */
function encodedWord(text: string): string {
  return `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`;
}

/** One line without characters that hide or turn others: agents write titles. */
export function plainLine(text: string, most: number): string {
  const line = text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  return line.length <= most ? line : `${line.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
