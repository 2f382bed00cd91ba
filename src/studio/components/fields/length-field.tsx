/** How long the videos are to be: a word, or seconds, beside how long they are now. */
import { useState } from 'preact/hooks';
import { LENGTH_LIMITS_SEC, LENGTH_WORDS } from '../../../platform/video-length.ts';
import { dataPath, dataTarget } from '../forms/agent-data.ts';
import { toText } from '../forms/listing-edits.ts';
import type { TextForm } from '../forms/read-values.ts';
import type { Target } from '../forms/target.ts';
import { listingValue, view } from '../listing.ts';
import { ratioWords, timeWords } from '../words.ts';
import { SelectField } from './select-field.tsx';
import { SharedField } from './shared-field.tsx';
import { TextField } from './text-field.tsx';

export const LENGTH_LAYER = 'length';

const NORMAL = 'normal';
const SECONDS = 'seconds';
const { min: MIN, max: MAX } = LENGTH_LIMITS_SEC;
/** `30` is written as `30s`. */
const IN_SECONDS: TextForm = {
  read: (text) => {
    const plain = text.trim().replace(/\s*s(ec(onds?)?)?$/i, '');
    return plain === '' ? undefined : `${plain}s`;
  },
  show: (value) => toText(value).replace(/s$/i, ''),
};

/** @param places - Of the agents whose videos have this length. */
export function LengthField({ places }: { readonly places: readonly number[] }) {
  return (
    <SharedField
      label="Length"
      places={places}
      pathOf={(place) => dataPath(place, LENGTH_LAYER)}
      targetOf={(of) => dataTarget('Change length', of, LENGTH_LAYER)}
      draw={(target, label, note, isFirst) => (
        <OneLength key={target.id} {...{ target, label, note, isFirst }} />
      )}
    />
  );
}

interface OneLengthProps {
  readonly target: Target;
  readonly label: string;
  readonly note: string | null;
  readonly isFirst: boolean;
}

function OneLength({ target, label, note, isFirst }: OneLengthProps) {
  const value = toText(target.value);
  const isWord = value === '' || LENGTH_WORDS.some((word) => word === value.toLowerCase());
  // An empty field of seconds stays open, while the listing has no length.
  const [isCounted, setCounted] = useState(!isWord);
  const isSeconds = !isWord || isCounted;
  const now = currentLengths(target);
  const choose = (chosen: unknown) => {
    setCounted(chosen === SECONDS);
    if (chosen === SECONDS) target.put(`${secondsNow(target)}s`);
    else target.put(chosen === NORMAL ? undefined : chosen);
  };
  return (
    <div class="length">
      <SelectField
        label={label}
        // What is wrong with seconds is said at their field.
        target={
          isSeconds
            ? { ...target, paths: [], value: SECONDS, put: choose }
            : { ...target, value: value.toLowerCase(), put: choose }
        }
        preset={NORMAL}
        options={[
          ...LENGTH_WORDS.map((word) => [word, word.charAt(0).toUpperCase() + word.slice(1)] as const),
          [SECONDS, 'In seconds'],
        ]}
        hint={[now, note === null ? '' : `${note}.`].filter(Boolean).join(' ') || undefined}
      />
      {isSeconds && (
        <TextField
          label={label === 'Length' ? 'Seconds' : `Seconds, ${label}`}
          target={{ ...target, id: `${target.id}-seconds` }}
          form={IN_SECONDS}
          inputMode="decimal"
          hint={isFirst ? `From ${MIN} to ${MAX}.` : undefined}
        />
      )}
    </div>
  );
}

function videosOf({ paths }: Target) {
  const ids = new Set(paths.map(([, place]) => listingValue(['agents', place!, 'id'])));
  return view.value!.videos.filter(({ agent_id }) => ids.has(agent_id));
}

/** `Now 0:52 in 16:9, 0:54 in 9:16.`; of agents whose videos differ, from the shortest to the longest. */
function currentLengths(target: Target): string {
  const byRatio = new Map<string, number[]>();
  for (const { ratio, frames, fps } of videosOf(target))
    byRatio.set(ratio, [...(byRatio.get(ratio) ?? []), frames / fps]);
  const words = [...byRatio].map(([ratio, seconds]) => {
    const ends = [Math.min(...seconds), Math.max(...seconds)].map((each) => timeWords(each));
    return `${[...new Set(ends)].join(' to ')} in ${ratioWords(ratio as '1920:1080')}`;
  });
  return words.length === 0 ? '' : `Now ${words.join(', ')}.`;
}

function secondsNow(target: Target): number {
  const [video] = videosOf(target);
  const seconds = video === undefined ? 30 : Math.round(video.frames / video.fps);
  return Math.min(MAX, Math.max(MIN, seconds));
}
