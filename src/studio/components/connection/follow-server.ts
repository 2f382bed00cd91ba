/**
 * Follows the server of the page by its events, and tells it when a person closes the page. All tabs of one server share
 * one stream, because a browser has six connections to it: the tab that was shown last has the stream, and passes what
 * comes to the others.
 */
import { comeBack } from './session.ts';

export interface Follower {
  /** Gets the data of each event `state`. The first after each interruption has all of it. */
  readonly receive: (state: unknown) => void;
  /** `lost`: the server does not answer. `stranger`: another program does. */
  readonly onAway: (why: Away) => void;
}

type Away = 'lost' | 'stranger';
type Message = { readonly state: unknown } | { readonly away: Away };

/** Between two attempts to reach the server, ms. */
export const RETRY_MS = 1_000;
/** Of the lock that the tab with the stream holds, and of the channel to the others. */
const STREAM = 'listing-video events';

/** By which the server knows that this page has come back. */
const PAGE = `page=${crypto.randomUUID()}`;

/** Called once. */
export function followServer(follower: Follower): void {
  // Not when a browser puts a tab to sleep: its page is not closed.
  addEventListener('pagehide', () => navigator.sendBeacon(`/api/goodbye?${PAGE}`));
  const channel = new BroadcastChannel(STREAM);
  const give = (message: Message): void => {
    if ('state' in message) follower.receive(message.state);
    else follower.onAway(message.away);
  };
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => give(data));
  const stream = new SharedStream((message) => {
    channel.postMessage(message);
    give(message);
  });
  addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') stream.take();
  });
  if (document.visibilityState === 'visible') stream.take();
  else stream.waitForTurn();
}

/** The stream of events while this tab has it. It begins with the whole state, which the other tabs get, too. */
class SharedStream {
  readonly #onMessage: (message: Message) => void;
  #close: (() => void) | null = null;
  #isWaiting = false;

  constructor(onMessage: (message: Message) => void) {
    this.#onMessage = onMessage;
  }

  /** Takes it from the tab that has it. */
  take(): void {
    if (this.#close === null) this.#request({ steal: true });
  }

  /** Gets it when the tab that has it is closed. */
  waitForTurn(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#request({});
  }

  #request(options: LockOptions): void {
    const hold = (): Promise<never> => {
      if (options.steal !== true) this.#isWaiting = false;
      this.#close ??= openStream(this.#onMessage);
      return new Promise(() => {});
    };
    // It ends only when another tab takes the stream.
    navigator.locks.request(STREAM, options, hold).catch(() => {
      this.#close?.();
      this.#close = null;
      this.waitForTurn();
    });
  }
}

/** @returns Closes it. */
function openStream(onMessage: (message: Message) => void): () => void {
  let events: EventSource;
  let isOpen = false;
  let isClosed = false;
  const connect = (): void => {
    if (isClosed) return;
    events = new EventSource(`/api/events?${PAGE}`);
    events.addEventListener('state', (event) => {
      isOpen = true;
      onMessage({ state: JSON.parse(event.data) });
    });
    events.addEventListener('error', () => {
      if (isOpen) onMessage({ away: 'lost' });
      isOpen = false;
      // Refused, or answered by another program: the browser does not try again by itself.
      if (events.readyState === EventSource.CLOSED) setTimeout(() => void connectAgain(), RETRY_MS);
    });
  };
  const connectAgain = async (): Promise<void> => {
    const welcome = await comeBack();
    if (isClosed) return;
    if (welcome !== 'in') onMessage({ away: welcome === 'away' ? 'lost' : 'stranger' });
    connect();
  };
  connect();
  return () => {
    isClosed = true;
    events.close();
  };
}
