/** The caption of a photo in the version on the stage, and what is good to know about it. */
import { captionLayer } from '../../../listing/words/caption-layer.ts';
import { countWords } from '../../../listing/words/count-words.ts';
import { toPointer } from '../../document/json.ts';
import { Notes } from '../field.tsx';
import { templateOf } from '../forms/agent-data.ts';
import { agentTitle } from '../forms/listing-edits.ts';
import { edit, listingValue, showPhoto, view, violationsOf } from '../listing.ts';
import { shownAgent, shownAgentIndex } from '../shown-agent.ts';
import { counterWords, sentence } from '../words.ts';
import { captionPath, setCaption } from './photo-edits.ts';

/** As the schema of a listing says. */
const MAX_CHARS = 120;

export function PhotoCaption({ index }: { readonly index: number }) {
  const { listing, warnings } = view.value!;
  const agent = shownAgentIndex.value;
  const path = captionPath(listing, index, agent);
  const value = listingValue(path);
  const text = typeof value === 'string' ? value : '';
  const max = captionLimit(index);
  const over = [...text].length - max;
  const faults = violationsOf(path).map(({ message }) => sentence(message));
  if (over > 0 && faults.length === 0) faults.push(`${countWords(over, 'character')} too long`);
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
  return Math.min(own ?? MAX_CHARS, MAX_CHARS);
}
