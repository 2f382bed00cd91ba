/** One photo: its thumbnail, its place, its caption, and why it is not in the video. */
import { captionLayer } from '../../../listing/words/caption-layer.ts';
import { toPointer } from '../../document/json.ts';
import type { StudioPhoto } from '../../editor/protocol.ts';
import { announce } from '../announce.tsx';
import { Notes } from '../field.tsx';
import { templateOf } from '../forms/agent-data.ts';
import { agentTitle } from '../forms/listing-edits.ts';
import { Icon } from '../icon.tsx';
import { IconButton } from '../icon-button.tsx';
import { edit, listingValue, showPhoto, view, violationsOf } from '../listing.ts';
import { shownAgent, shownAgentIndex } from '../shown-agent.ts';
import { counterWords, reasonWords, sentence } from '../words.ts';
import { drag, followDrag } from './drag-photos.ts';
import { captionPath, leaveOut, movePhoto, setCaption } from './photo-edits.ts';
import { PhotoFacts } from './photo-facts.tsx';
import { fileNameOf, Picture } from './pictures.tsx';

/** As the schema of a listing says. */
const MAX_CAPTION_CHARS = 120;

interface PhotoCardProps {
  readonly index: number;
  readonly count: number;
  readonly url: string;
  /** Null until the studio has looked at it. */
  readonly photo: StudioPhoto | null;
}

export function PhotoCard({ index, count, url, photo }: PhotoCardProps) {
  const number = index + 1;
  const name = fileNameOf(url);
  const move = (to: number) => {
    if (to === index || to < 0 || to >= count) return;
    edit('Move photo', movePhoto(view.value!.listing, index, to));
    announce(to === 0 ? `${name} is the opening now.` : `${name} moved to place ${to + 1} of ${count}.`);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 };
    const step = steps[event.key];
    // These keys open the list of a choice.
    const isChoice = event.target instanceof HTMLElement && event.target.matches('select, [list]');
    if (!event.altKey || isChoice || (step === undefined && event.key !== 'Home')) return;
    event.preventDefault();
    event.stopPropagation();
    move(step === undefined ? 0 : index + step);
  };
  const onPointerDown = (event: PointerEvent) => {
    const list = (event.currentTarget as HTMLElement).closest('ol');
    if (event.button !== 0 || list === null) return;
    followDrag(event, { list, from: index, onDrop: move });
  };
  const remove = () => {
    // The next photo takes its place, and the focus.
    const next =
      document.querySelectorAll<HTMLElement>('.photo .photo-image')[number === count ? index - 1 : number];
    edit('Leave out photo', leaveOut(view.value!.listing, index));
    announce(`${name} is left out. Undo brings it back.`);
    next?.focus();
  };
  const isDropped = photo?.state === 'dropped';
  const gap = drag.value === null || drag.value.from === index ? null : drag.value.gap;
  return (
    <li
      class="photo"
      onKeyDown={onKeyDown}
      data-dragged={drag.value?.from === index}
      data-gap={gap === index ? 'before' : gap === count && index === count - 1 ? 'after' : undefined}
      data-state={photo?.state ?? 'reading'}
    >
      <button
        type="button"
        class="photo-image"
        aria-label={`Photo ${number} of ${count}, ${name}${index === 0 ? ', the opening' : ''}. Alt with the arrow keys moves it.`}
        data-path={`/assets/${index}`}
        onClick={() => showPhoto(index)}
        onPointerDown={onPointerDown}
      >
        <Picture url={url} digest={photo?.digest ?? null} />
        <span class="photo-number">{number}</span>
      </button>
      <div class="photo-body">
        <p class="photo-head">
          <span class="photo-name" title={name}>
            {index === 0 ? 'Opening' : name}
          </span>
          <span class="photo-actions">
            {index > 0 && (
              <IconButton icon="opening" label={`Make photo ${number} the opening`} onClick={() => move(0)} />
            )}
            <span class="touch-only">
              <IconButton
                icon="up"
                label={`Move photo ${number} up`}
                isDisabled={index === 0}
                onClick={() => move(index - 1)}
              />
              <IconButton
                icon="down"
                label={`Move photo ${number} down`}
                isDisabled={number === count}
                onClick={() => move(index + 1)}
              />
            </span>
            <IconButton icon="out" label={`Leave out photo ${number}`} onClick={remove} />
          </span>
        </p>
        {isDropped ? (
          <p class="fault">Not in the video. {reasonWords(photo.problem ?? 'It cannot be used.')}</p>
        ) : (
          <Caption index={index} />
        )}
      </div>
      <PhotoFacts index={index} photo={photo} />
      <span class="photo-grip" aria-hidden="true" onPointerDown={onPointerDown}>
        <Icon name="grip" />
      </span>
    </li>
  );
}

function Caption({ index }: { readonly index: number }) {
  const { listing, warnings } = view.value!;
  const agent = shownAgentIndex.value;
  const path = captionPath(listing, index, agent);
  const value = listingValue(path);
  const text = typeof value === 'string' ? value : '';
  const max = captionLimit(index);
  const over = [...text].length - max;
  const faults = violationsOf(path).map(({ message }) => sentence(message));
  if (over > 0 && faults.length === 0) faults.push(`${over} characters too long`);
  // A warning names the photo, also where the caption is that of one agent.
  const places = [...new Set([toPointer(path), `/assets/${index}/caption`])];
  const cautions = warnings
    .filter((warning) => warning.path !== null && places.includes(toPointer(warning.path)))
    .filter(({ agent_id }) => agent_id === null || agent_id === shownAgent.value?.id)
    .map(({ message }) => sentence(message));
  // Only while the caption has the focus, over what is below it: a note that comes and goes must not move the list.
  const hints: string[] = [];
  const counter = over > 0 ? null : counterWords(text, max);
  if (counter !== null) hints.push(counter);
  if (path[0] === 'agents') hints.push(`Only in the version of ${agentTitle(listing, agent)}`);
  const id = `caption-${index}`;
  const hasNotes = faults.length + cautions.length + hints.length > 0;
  return (
    <div class="caption">
      <textarea
        id={id}
        // Where the browser does not size it by its content.
        rows={Math.max(1, Math.ceil(text.length / 26))}
        aria-label={`Caption of photo ${index + 1}`}
        placeholder="Caption"
        autocomplete="off"
        value={text}
        data-path={places.join(' ')}
        {...(hasNotes ? { 'aria-describedby': `${id}-notes` } : {})}
        {...(faults.length > 0 ? { 'aria-invalid': true } : {})}
        onFocus={() => showPhoto(index, true)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.preventDefault();
        }}
        onInput={(event) => {
          const next = event.currentTarget.value.replaceAll(/\s*\n\s*/g, ' ');
          edit(`Caption of photo ${index + 1}`, setCaption(listing, path, next), { isTyping: true });
        }}
      />
      {hasNotes && (
        <div id={`${id}-notes`} class="caption-notes">
          <Notes faults={faults} warnings={cautions} />
          {hints.length > 0 && <p class="hint at-focus">{hints.join(' · ')}</p>}
        </div>
      )}
    </div>
  );
}

/** What listings and the template of the shown video allow. */
function captionLimit(index: number): number {
  const layers = templateOf(shownAgentIndex.value)?.layers ?? [];
  const own = layers.find(({ name }) => name === captionLayer(index))?.max_length;
  return Math.min(own ?? MAX_CAPTION_CHARS, MAX_CAPTION_CHARS);
}
