import type { Context } from '../../kernel/context.ts';
import type { Row } from '../../kernel/store/store.ts';
import { parsed, text } from '../../kernel/store/row.ts';
import { type LogPage, readLog } from '../host/log-file.ts';
import { agentFolder } from '../host/prepare.ts';
import { messageSettings } from '../../kernel/message-size.ts';
import { thisMachine } from '../../machine/this-machine.ts';
import type { Spec } from '../host/spec.ts';
import { type Status, isLive } from './state.ts';
import { phrase } from '../problem.ts';

/** The share of a message for log lines; the rest is for the envelope. */
const shareOfMessage = 0.8;

/** Reads a page of an agent's output. If the log is on another machine, one line names that machine. */
export function agentLog(
  context: Pick<Context, 'say' | 'settings'>,
  row: Row,
  from: number,
  limit: number,
): LogPage & { readonly live: boolean } {
  const live = isLive(text(row, 'status') as Status);
  const state = (parsed(row, 'spec') as Spec | null)?.place.state ?? '';
  const weight = messageSettings.of(context).maxMessageBytes * shareOfMessage;
  const page = readLog(agentFolder(state, text(row, 'id')), { from, limit, whole: !live, weight });
  const machine = text(row, 'machine');
  if (page.lines.length === 0 && from === 0 && machine !== thisMachine() && row['started_at'] !== null)
    return { ...page, lines: [context.say(phrase.logElsewhere({ machine: machine.replace(/\/.*/, '') }))], live };
  const lines =
    page.dropped > 0 ? [context.say(phrase.logDropped({ bytes: page.dropped })), ...page.lines] : page.lines;
  return { ...page, lines, live };
}
