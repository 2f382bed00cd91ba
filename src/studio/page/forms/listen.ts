/** Plays one music choice at a time. The stage and a choice never play together. */
import { effect, signal } from '@preact/signals';
import { isPlaying, pause } from '../stage/player.ts';

/** Id of the choice that plays; null: none. */
export const heard = signal<string | null>(null);

/** Why the last choice could not be played. */
export const listenProblem = signal<string | null>(null);

const audio = new Audio();
audio.addEventListener('ended', stopListening);
audio.addEventListener('error', () => {
  if (heard.value === null) return;
  stopListening();
  listenProblem.value = 'This music cannot be played here.';
});

effect(() => {
  if (isPlaying.value) stopListening();
});

/** From the start. What plays now stops. @param address - Of the audio, on this server. */
export function listen(id: string, address: string): void {
  pause();
  listenProblem.value = null;
  heard.value = id;
  audio.src = address;
  // A refusal to play also reaches the listener above; a change of mind is none.
  audio.play().catch(() => {});
}

export function stopListening(): void {
  heard.value = null;
  audio.pause();
}
