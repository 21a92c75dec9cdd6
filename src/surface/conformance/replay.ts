import type { EventStore } from '@modelcontextprotocol/server';

type Message = Parameters<EventStore['storeEvent']>[1];

interface StoredEvent {
  readonly stream: string;
  readonly message: Message;
}

/**
 * The latest messages to 2025-era clients over HTTP: one whose connection broke, or was ended for it, comes back with
 * the last id that it saw. One ring for all sessions, so that its size does not depend on how many there are.
 */
export function createReplay(limit: number): (session: string) => EventStore {
  const events = new Map<number, StoredEvent>();
  let next = 1;
  return (session) => {
    // Every session has a stream of the same name, and an id of one must not open another.
    const nameOf = (stream: string) => `${session} ${stream}`;
    const find = (id: string): StoredEvent | undefined => {
      const event = events.get(Number(id));
      return event?.stream.startsWith(`${session} `) === true ? event : undefined;
    };
    return {
      async storeEvent(stream, message) {
        const id = next++;
        events.set(id, { stream: nameOf(stream), message });
        events.delete(id - limit);
        return String(id);
      },
      async getStreamIdForEventId(id) {
        return find(id)?.stream.slice(session.length + 1);
      },
      async replayEventsAfter(lastId, { send }) {
        const last = find(lastId);
        if (last === undefined) throw new Error('the event is not known any more');
        for (const [id, event] of events) {
          // The first event of a stream is empty: it only tells the client an id.
          if (id > Number(lastId) && event.stream === last.stream && 'jsonrpc' in event.message)
            await send(String(id), event.message);
        }
        return last.stream.slice(session.length + 1);
      },
    };
  };
}
