/** What the page says to people who listen to it: one line at a time, in a live region that `app.tsx` draws. */
import { signal } from '@preact/signals';

/** The count makes two equal lines two announcements. */
export const announcement = signal<{ readonly text: string; readonly count: number }>({ text: '', count: 0 });

/** Says a line when the screen reader has finished its own. */
export function announce(text: string): void {
  announcement.value = { text, count: announcement.value.count + 1 };
}
