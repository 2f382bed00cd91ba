/** What the page says to people who listen to it. */
import { signal } from '@preact/signals';

interface Announcement {
  readonly text: string;
  /** Makes two equal texts two announcements. */
  readonly count: number;
}

const calm = signal<Announcement>({ text: '', count: 0 });
const urgent = signal<Announcement>({ text: '', count: 0 });

/** Announces a text: when the screen reader has finished its own, or at once. */
export function announce(text: string, { isUrgent = false } = {}): void {
  const region = isUrgent ? urgent : calm;
  region.value = { text, count: region.peek().count + 1 };
}

export function Spoken() {
  return (
    <>
      <div id="status" class="spoken" role="status" aria-live="polite">
        <span key={calm.value.count}>{calm.value.text}</span>
      </div>
      <div id="alert" class="spoken" role="alert" aria-live="assertive">
        <span key={urgent.value.count}>{urgent.value.text}</span>
      </div>
    </>
  );
}
