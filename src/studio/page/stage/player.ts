/**
 * The position in the video, and the clock that moves it: the music when there is one, because ears notice a jump
 * sooner.
 */
import { computed, effect, signal } from '@preact/signals';
import type { StudioScene, StudioVideo } from '../../editor/protocol.ts';
import { shownVideos } from '../shown.ts';
import { sameScene, sceneOfPhoto } from './same-scene.ts';

/** The video whose frames, scenes and music lead; the other ratio follows. Null while nothing is planned. */
export const lead = computed(() => shownVideos.value[0] ?? null);

/** Frame of the lead. */
export const frame = signal(0);
export const isPlaying = signal(false);
export const isMuted = signal(false);
/** The thumb of the scrubber is held. */
export const isScrubbing = signal(false);

export const fps = computed(() => lead.value?.fps ?? 30);
export const lastFrame = computed(() => Math.max(0, (lead.value?.frames ?? 1) - 1));

/** The scene on the stage: where two overlap, the one that comes. */
export const currentScene = computed(
  () => lead.value?.scenes.findLast(({ from_frame }) => from_frame <= frame.value) ?? null,
);

/** Where the person jumped to, until the position changes in another way. */
const jump = signal<{ readonly sceneId: string; readonly photo: number | null } | null>(null);

/**
 * Frame of a shown video. After a jump to a scene each shape shows its own scene of the same photo, at rest: they have
 * other lengths, so that one time would be two photos. Else all show one time.
 */
export function frameOf(video: StudioVideo): number {
  const scene = lead.value?.scenes.find(({ id }) => id === jump.value?.sceneId);
  const own =
    scene === undefined || video.ratio === lead.value?.ratio
      ? null
      : sameScene(video.scenes, scene, jump.value!.photo);
  return Math.min(own?.rest_frame ?? frame.value, video.frames - 1);
}

const audio = new Audio();
/** Position and time at which the clock of the machine started, while it leads. */
let start = { frame: 0, atMs: 0 };
/** The music plays and leads. */
let hasMusicLead = false;
let pendingFrame = 0;

/** A smaller distance between picture and music is not noticed. */
const MAX_DRIFT_SEC = 0.08;
/** After so many attempts the picture jumps to the music. */
const MAX_CATCH_UPS = 3;
let catchUps = 0;

audio.addEventListener('playing', () => {
  if (!isPlaying.value || hasMusicLead) return;
  // The picture went on while the music was loaded: the music follows, and leads when it has caught up.
  const at = frame.value / fps.value;
  if (Math.abs(audio.currentTime - at) > MAX_DRIFT_SEC && catchUps < MAX_CATCH_UPS) {
    catchUps += 1;
    audio.currentTime = at;
  } else hasMusicLead = true;
});
for (const name of ['error', 'ended'] as const) {
  audio.addEventListener(name, () => {
    if (hasMusicLead) lendClock();
  });
}
effect(() => {
  audio.muted = isMuted.value;
});

/** Goes to a frame of the lead; kept within the video. */
export function seek(to: number): void {
  jump.value = null;
  frame.value = Math.min(lastFrame.value, Math.max(0, Math.round(to)));
  if (!isPlaying.value) return;
  lendClock();
  playMusic();
}

/** Goes to a scene, where what enters has entered; while the video plays, to its start. @param photo - Of the scene. */
export function goTo(scene: StudioScene, photo: number | null = null): void {
  seek(isPlaying.value ? scene.from_frame : scene.rest_frame);
  if (!isPlaying.value) jump.value = { sceneId: scene.id, photo };
}

export function toggle(): void {
  if (isPlaying.value) pause();
  else play();
}

/** From the start again when the video is at its end. */
export function play(): void {
  if (lead.value === null) return;
  if (frame.value >= lastFrame.value) frame.value = 0;
  jump.value = null;
  isPlaying.value = true;
  lendClock();
  playMusic();
  pendingFrame = requestAnimationFrame(tick);
}

export function pause(): void {
  isPlaying.value = false;
  hasMusicLead = false;
  audio.pause();
  cancelAnimationFrame(pendingFrame);
}

function tick(): void {
  const seconds = hasMusicLead
    ? audio.currentTime
    : start.frame / fps.value + (performance.now() - start.atMs) / 1000;
  const to = Math.floor(seconds * fps.value + 1e-6);
  frame.value = Math.min(lastFrame.value, Math.max(0, to));
  if (to > lastFrame.value) pause();
  else pendingFrame = requestAnimationFrame(tick);
}

function lendClock(): void {
  hasMusicLead = false;
  start = { frame: frame.value, atMs: performance.now() };
}

function playMusic(): void {
  const video = lead.value;
  if (video === null || video.music === null) {
    audio.pause();
    return;
  }
  const url = `/api/audio/${encodeURIComponent(video.plan)}`;
  catchUps = 0;
  if (audio.getAttribute('src') !== url) audio.setAttribute('src', url);
  audio.currentTime = frame.value / fps.value;
  audio.play().catch(() => {
    // No music: the clock of the machine goes on.
  });
}

let shown: StudioVideo | null = null;

// A new plan of the same video: stay in the scene that is watched, however long the scenes before it are now.
effect(() => {
  const video = lead.value;
  if (video === null || video.plan === shown?.plan) return;
  const before = shown?.scenes.findLast(({ from_frame }) => from_frame <= frame.peek());
  const jumped = jump.peek();
  const isOtherShape = before !== undefined && jumped !== null && shown?.ratio !== video.ratio;
  const after = isOtherShape
    ? (sameScene(video.scenes, before, jumped.photo) ?? undefined)
    : video.scenes.find(({ id }) => id === before?.id);
  shown = video;
  const moved = before === undefined || after === undefined ? 0 : after.from_frame - before.from_frame;
  const to = (jumped !== null && after?.rest_frame) || frame.peek() + moved;
  if (jumped !== null) jump.value = after === undefined ? null : { ...jumped, sceneId: after.id };
  frame.value = Math.min(Math.max(0, video.frames - 1), Math.max(0, to));
  if (!isPlaying.peek()) return;
  lendClock();
  playMusic();
});

/** Goes to the scene of a photo. A caption that gets the focus does not stop the video. */
export function showPhoto(index: number, isFocused: boolean): void {
  if (isFocused && isPlaying.value) return;
  const scene = sceneOfPhoto(lead.value?.scenes ?? [], index);
  if (scene !== null) goTo(scene, index);
}
