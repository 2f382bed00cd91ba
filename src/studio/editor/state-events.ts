/** The state as server-sent events. A page that reads slowly gets all changes in one. */
import { EventWriter, formatEvent } from '../../api/server/events/event-writer.ts';
import type { StateChange } from './protocol.ts';
import type { Studio } from './studio.ts';

const PING_INTERVAL_MS = 20_000;

/** Begins with the whole state, so that a page that connects again misses nothing. @param onEnd - Called once. */
export function stateEvents(studio: Studio, onEnd: () => void): ReadableStream<Uint8Array> {
  let waiting: StateChange | null = studio.state;
  let isPingDue = false;
  const writer = new EventWriter({
    next() {
      const [change, isDue] = [waiting, isPingDue];
      waiting = null;
      isPingDue = false;
      if (change !== null) return formatEvent('state', change);
      return isDue ? formatEvent('ping', {}) : null;
    },
    onEnd() {
      unsubscribe();
      clearInterval(pings);
      onEnd();
    },
  });
  const unsubscribe = studio.subscribe((change) => {
    waiting = { ...waiting, ...change };
    writer.wake();
  });
  const pings = setInterval(() => {
    isPingDue = true;
    writer.wake();
  }, PING_INTERVAL_MS).unref();
  return writer.body;
}
