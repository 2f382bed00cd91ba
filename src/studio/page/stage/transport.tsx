/** Play, scrub, time and sound, below the stage. */
import { IconButton } from '../../components/icon-button.tsx';
import { timeWords } from '../../components/words.ts';
import {
  currentScene,
  fps,
  frame,
  isMuted,
  isPlaying,
  isScrubbing,
  lastFrame,
  lead,
  pause,
  play,
  seek,
  toggle,
} from './player.ts';

let wasPlaying = false;

function hold(): void {
  wasPlaying = isPlaying.value;
  if (wasPlaying) pause();
  isScrubbing.value = true;
}

function release(): void {
  if (!isScrubbing.value) return;
  isScrubbing.value = false;
  if (wasPlaying) play();
}

export function Transport() {
  const seconds = frame.value / fps.value;
  const length = (lead.value?.frames ?? 0) / fps.value;
  const done = lastFrame.value === 0 ? 0 : frame.value / lastFrame.value;
  return (
    <div class="transport">
      <IconButton
        icon={isPlaying.value ? 'pause' : 'play'}
        label={isPlaying.value ? 'Pause' : 'Play'}
        keys="space"
        onClick={toggle}
      />
      <input
        type="range"
        class="scrubber"
        aria-label="Position in the video"
        aria-valuetext={`${timeWords(seconds)} of ${timeWords(length)}${
          currentScene.value === null ? '' : `, ${currentScene.value.label}`
        }`}
        min={0}
        max={lastFrame.value}
        step={1}
        value={frame.value}
        style={{ '--done': `${done * 100}%` }}
        onPointerDown={hold}
        onPointerUp={release}
        onPointerCancel={release}
        onChange={release}
        onInput={(event) => seek(event.currentTarget.valueAsNumber)}
      />
      <p class="time">
        <span>{timeWords(seconds, { hasTenths: true })}</span>
        <span class="soft"> / {timeWords(length, { hasTenths: true })}</span>
      </p>
      <IconButton
        icon={isMuted.value ? 'muted' : 'sound'}
        label={isMuted.value ? 'Sound on' : 'Mute'}
        keys="M"
        onClick={() => {
          isMuted.value = !isMuted.value;
        }}
      />
    </div>
  );
}
