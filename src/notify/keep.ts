import type { Context } from '../kernel/context.ts';
import { isOfStore, isProblem } from '../kernel/problem.ts';
import { type Notice, noticeSources } from '../kernel/notice.ts';
import type { Recorded } from '../kernel/store/store.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { type Message, plainLine } from './message.ts';
import { type Delivery, beginReading, deliveryId, keepRead, keyOf } from './outbox.ts';
import { createSender } from './sender.ts';
import { settings } from './settings.ts';

const lookMs = 1000;
const againMs = 5000;
const newsMs = 3 * 24 * 3600 * 1000;
/** Number of entries after which the read position is stored even without a notification, so that a restart reads little. */
const longestUnread = 5000;
const longestTitle = 200;
const longestText = 1000;

/** Sends notifications to the targets of a project. Several daemons can run it; one sends. Returns the stop function. */
export function keepNotify(context: Context, dashboard: () => string): () => void {
  const targets = settings.of(context).notify;
  if (targets.length === 0) return () => undefined;
  const stopping = new AbortController();
  const { signal } = stopping;
  const sender = createSender(context, targets, signal);
  const failed = (error: unknown) => {
    if (!signal.aborted) context.log.warn('notify: could not look', { reason: String(error) });
  };
  const send = () => void sender().catch(failed);
  const timer = setInterval(send, lookMs).unref();

  const read = async () => {
    let kept = await beginReading(context);
    for await (const entry of context.store.follow(kept, signal)) {
      const deliveries = await deliveriesOf(entry);
      if (deliveries.length === 0 && entry.seq - kept < longestUnread) continue;
      await keepRead(context, entry.seq, deliveries);
      kept = entry.seq;
      if (deliveries.length > 0) send();
    }
  };

  const deliveriesOf = async (entry: Recorded): Promise<readonly Delivery[]> => {
    const isNews = context.now().getTime() - Date.parse(entry.at) < newsMs;
    const notices = entry.project === context.project.key && isNews ? await noticesOf(context, entry) : [];
    return notices.flatMap((notice) =>
      targets
        .filter(({ on }) => on.includes(notice.topic))
        .map((target) => {
          const key = keyOf(target);
          const id = deliveryId(context, key, entry.seq, notice.topic, notice.subject);
          const message = messageOf(context, id, entry, notice, dashboard());
          return { id, target: key, message, attempts: 0, createdAt: context.now().toISOString() };
        }),
    );
  };

  void (async () => {
    while (!signal.aborted) {
      // After a database failure, reading resumes at the stored position.
      await read().catch(failed);
      await pause(againMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  })();
  return () => {
    clearInterval(timer);
    stopping.abort();
  };
}

async function noticesOf(context: Context, entry: Recorded): Promise<readonly Notice[]> {
  const source = noticeSources.of(context).find(({ kinds }) => kinds.includes(entry.kind));
  try {
    return (await source?.tell(context, entry)) ?? [];
  } catch (error) {
    if (isProblem(error) && isOfStore(error)) throw error;
    // One broken entry must not block the notifications after it.
    context.log.error('notify: an entry could not be told', { seq: entry.seq, reason: String(error) });
    return [];
  }
}

function messageOf(context: Context, id: string, { at }: Recorded, notice: Notice, dashboard: string): Message {
  const { root } = context.project;
  return {
    id,
    topic: notice.topic,
    at,
    project: root,
    subject: notice.subject,
    title: plainLine(notice.title, longestTitle),
    text: plainLine(context.say(notice.text), longestText),
    link: `${dashboard}${notice.path}?project=${encodeURIComponent(root).replaceAll('%2F', '/')}`,
  };
}
