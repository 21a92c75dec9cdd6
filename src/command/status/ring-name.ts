import type { Lang, Words } from '../../kernel/text/text.ts';
import { words } from '../words.ts';

const names: Readonly<Record<string, Words | undefined>> = {
  project: words('project'),
  store: words('store'),
  program: words('program'),
  hooks: words('hooks'),
  server: words('server'),
  trust: words('trust'),
  receipts: words('receipts'),
  sandbox: words('sandbox'),
};

export const ringState = {
  on: words('on'),
  off: words('off'),
  broken: words('broken'),
  unknown: words('unknown'),
} as const;

/** The name of a ring for people, with its client. */
export function ringName({ name, client }: { readonly name: string; readonly client?: string }, lang: Lang): string {
  const said = names[name]?.[lang] ?? name;
  return client === undefined ? said : `${client} ${said}`;
}
