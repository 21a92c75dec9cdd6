import type { Context } from '../../kernel/context.ts';
import type { OpenMatter } from '../../kernel/notice.ts';
import { text } from '../../kernel/store/row.ts';
import { phrase } from '../problem.ts';
import { causeOf, readLinks } from './registry.ts';

/** Lists upstreams that a running server has lost, each once. */
export async function openMatters(context: Context, most: number): Promise<readonly OpenMatter[]> {
  const away = (await readLinks(context)).filter((row) => row['state'] === 'disconnected');
  const newest = new Map(away.map((row) => [text(row, 'upstream'), row]));
  return [...newest]
    .slice(0, most)
    .map(([upstream, row]) => ({
      kind: 'upstream',
      subject: upstream,
      title: upstream,
      text: phrase.noticeAway({ cause: causeOf(row) ?? '' }),
      path: `/upstreams/${upstream}`,
      since: text(row, 'since'),
    }));
}
