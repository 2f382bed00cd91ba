/** Title and description for uploads: those that are made, until a person changes them. */
import { useState } from 'preact/hooks';
import { MAX_UPLOAD_CHARS, UPLOAD_TEXTS } from '../../../listing/words/upload-texts.ts';
import type { StudioVideo } from '../../editor/protocol.ts';
import { CopyButton } from '../copy-button.tsx';
import { Field } from '../field.tsx';
import { listingValue, view } from '../listing.ts';
import { counterWords } from '../words.ts';
import { agentsInScope, dataPath, dataTarget } from './agent-data.ts';
import { faultsOf, warningsOf } from './findings.ts';
import { agentTitle, toText } from './listing-edits.ts';
import { TEXT } from './read-values.ts';
import { type Target, toDataPath } from './target.ts';

type Part = keyof typeof UPLOAD_TEXTS;

const LABELS: Readonly<Record<Part, string>> = { title: 'Title', description: 'Description' };

export function UploadFields() {
  const places = agentsInScope();
  if (places.length === 0) return null;
  return (
    <section class="group" aria-labelledby="group-upload">
      <h3 id="group-upload">For the upload</h3>
      <p class="hint">
        To paste where you upload the video. Both are in the .txt beside it. The video does not show them.
      </p>
      <UploadField part="title" places={places} />
      <UploadField part="description" places={places} />
    </section>
  );
}

interface PartProps {
  readonly part: Part;
  /** Of agents. */
  readonly places: readonly number[];
}

/** One field, or where the agents have different texts one for each. */
function UploadField({ part, places }: PartProps) {
  // What is typed can make texts equal: the field that has the focus stays.
  const [held, setHeld] = useState<boolean | null>(null);
  const isNowMixed = new Set(places.map((place) => textOf(part, place))).size > 1;
  const isMixed = (held ?? isNowMixed) && places.length > 1;
  const [first] = places as [number];
  const label = LABELS[part];
  const props = { onFocusIn: () => setHeld(isMixed), onFocusOut: () => setHeld(null) };
  if (!isMixed)
    return (
      <div {...props}>
        <OneText part={part} places={places} label={label} />
      </div>
    );
  return (
    <fieldset class="mixed" {...props}>
      <legend>{label}: different for each agent</legend>
      {places.map((place) => (
        <OneText
          key={place}
          part={part}
          places={[place]}
          label={`${label}, ${agentTitle(view.value!.listing, place)}`}
        />
      ))}
      {typeof listingValue(dataPath(first, UPLOAD_TEXTS[part])) === 'string' && (
        <button type="button" class="quiet" onClick={() => targetOf(part, places).put(textOf(part, first))}>
          Use that of {agentTitle(view.value!.listing, first)} for all
        </button>
      )}
    </fieldset>
  );
}

function targetOf(part: Part, places: readonly number[]): Target {
  return dataTarget(`Change ${LABELS[part].toLowerCase()}`, places, UPLOAD_TEXTS[part]);
}

function OneText({ part, places, label }: PartProps & { readonly label: string }) {
  const [draft, setDraft] = useState<string | null>(null);
  const [first] = places as [number];
  const target = targetOf(part, places);
  const isCurrent = draft !== null && TEXT.read(draft) === (target.value ?? undefined);
  const text = isCurrent ? draft : textOf(part, first);
  const { rest } = uploadOf(first) ?? { rest: '' };
  const isTitle = part === 'title';
  const whole = isTitle || rest === '' ? text : `${text}\n\n${rest}`;
  const hints = [
    target.value === undefined
      ? 'Made from the listing.'
      : 'Your own text. Empty the field to have it made from the listing again.',
    counterWords(text.trim(), MAX_UPLOAD_CHARS[part]) ?? '',
  ];
  return (
    <div class="upload-text">
      <Field
        id={target.id}
        label={label}
        hint={hints.join(' ').trim()}
        faults={faultsOf(target.paths)}
        warnings={warningsOf(target.paths)}
        input={(attributes) => (
          <textarea
            dir="auto"
            rows={isTitle ? 2 : 6}
            autocomplete="off"
            value={text}
            data-path={toDataPath(target.paths)}
            placeholder={uploadOf(first)?.[part] || 'Made from the listing'}
            onInput={({ currentTarget }) => {
              const typed = isTitle ? currentTarget.value.replaceAll(/\s*\n\s*/g, ' ') : currentTarget.value;
              setDraft(typed);
              target.put(TEXT.read(typed), { isTyping: true });
            }}
            onBlur={() => setDraft(null)}
            {...attributes}
          />
        )}
      />
      {!isTitle && rest !== '' && (
        <details class="hint">
          <summary>Added after it: chapters, contact and disclosure</summary>
          <pre dir="auto">{rest}</pre>
        </details>
      )}
      <p class="ways">
        <CopyButton
          text={whole}
          what={LABELS[part].toLowerCase()}
          words={`Copy ${LABELS[part].toLowerCase()}`}
          label={`Copy ${label.charAt(0).toLowerCase()}${label.slice(1)}`}
        />
      </p>
    </div>
  );
}

/** As the listing gives it, else as it is made; empty before there is a plan of the video. */
function textOf(part: Part, place: number): string {
  return toText(listingValue(dataPath(place, UPLOAD_TEXTS[part]))) || (uploadOf(place)?.[part] ?? '');
}

/** Of the agent's own shape, whose video is the first. */
function uploadOf(place: number): StudioVideo['upload'] | undefined {
  const id = listingValue(['agents', place, 'id']);
  return view.value!.videos.find(({ agent_id }) => agent_id === id)?.upload;
}
