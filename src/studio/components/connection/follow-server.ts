/** Follows the server of the page by its events, and tells it when a person closes the page. */
import { comeBack } from './session.ts';

export interface Follower {
  /** Gets the data of each event `state`. The first after each interruption has all of it. */
  readonly receive: (state: unknown) => void;
  /** `lost`: the server does not answer. `stranger`: another program does. */
  readonly onAway: (why: 'lost' | 'stranger') => void;
}

/** Between two attempts to reach the server, ms. */
export const RETRY_MS = 1_000;

/** By which the server knows that this page has come back. */
const PAGE = `page=${crypto.randomUUID()}`;

/** Called once. */
export function followServer(follower: Follower): void {
  // Not when a browser puts a tab to sleep: its page is not closed.
  addEventListener('pagehide', () => navigator.sendBeacon(`/api/goodbye?${PAGE}`));
  connect(follower);
}

function connect(follower: Follower): void {
  const events = new EventSource(`/api/events?${PAGE}`);
  let isOpen = false;
  events.addEventListener('state', (event) => {
    isOpen = true;
    follower.receive(JSON.parse(event.data));
  });
  events.addEventListener('error', () => {
    if (isOpen) follower.onAway('lost');
    isOpen = false;
    // Refused, or answered by another program: the browser does not try again by itself.
    if (events.readyState === EventSource.CLOSED) setTimeout(() => void connectAgain(follower), RETRY_MS);
  });
}

async function connectAgain(follower: Follower): Promise<void> {
  const welcome = await comeBack();
  if (welcome !== 'in') follower.onAway(welcome === 'away' ? 'lost' : 'stranger');
  connect(follower);
}
