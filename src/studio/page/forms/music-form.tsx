/** The music of the videos: the design's own, another of the program, a file of your own, or none. */
import { useEffect } from 'preact/hooks';
import { Notes } from '../../components/field.tsx';
import type { ListingPath } from '../../editor/protocol.ts';
import { listingValue, state } from '../state.ts';
import { agentsInScope, dataPath, dataTarget, isMixed, layersOf } from '../../components/forms/agent-data.ts';
import { FileDrop } from '../../components/fields/file-drop.tsx';
import { faultsOf, warningsOf } from '../../components/forms/findings.ts';
import { heard, listen, listenProblem, stopListening } from './listen.ts';
import { agentTitle, toText } from '../../components/forms/listing-edits.ts';
import { ScopeSelect } from './scope-select.tsx';
import { toDataPath } from '../../components/forms/target.ts';

/** The data layer. */
const MUSIC = 'music';
const NONE = 'none';

export function isMusicField([first, , , , layer]: ListingPath): boolean {
  return first === 'agents' && layer === MUSIC;
}

export function MusicForm() {
  useEffect(() => stopListening, []);
  const { music, listing, videos } = state.value!;
  const places = agentsInScope();
  if (places.length === 0) return <p class="hint">Add an agent first: each agent gets a video.</p>;
  const layer = layersOf(places).find(({ name }) => name === MUSIC);
  const preset = layer?.default ?? NONE;
  const mixed = isMixed(places, (place) => dataPath(place, MUSIC));
  const target = dataTarget('Change music', places, MUSIC);
  const value = mixed ? null : toText(target.value) || preset;
  const isFile = value !== null && value !== NONE && !music.some(({ id }) => id === value);
  // A file is heard as in the video.
  const own = videos.find(({ agent_id }) => agent_id === listingValue(['agents', places[0]!, 'id']));
  const choose = (id: string) => target.put(id === preset ? undefined : id);
  const faults = faultsOf(target.paths);
  const warnings = warningsOf(target.paths);
  const described = faults.length + warnings.length > 0 ? { 'aria-describedby': 'music-notes' } : {};
  const radio = (id: string) => (
    <input
      type="radio"
      name="music"
      id={`music-${id}`}
      value={id}
      checked={value === id}
      onChange={() => choose(id)}
      {...(value === id ? { 'data-path': toDataPath(target.paths) } : {})}
    />
  );
  return (
    <section class="group" aria-labelledby="group-music">
      <h3 class="spoken" id="group-music">
        Music
      </h3>
      <ScopeSelect />
      {mixed && (
        <p class="hint">
          Different now:{' '}
          {places
            .map((place) => `${agentTitle(listing, place)} has ${titleOf(place) || 'the design’s own'}`)
            .join(', ')}
          . A choice here is for all.
        </p>
      )}
      <fieldset class="music-list" aria-labelledby="group-music" {...described}>
        {music.map(({ id, title }) => (
          <div class="music-choice" key={id} data-checked={value === id}>
            {radio(id)}
            <label for={`music-${id}`}>
              {title}
              {id === preset && <span class="hint"> the design’s own</span>}
            </label>
            <ListenButton id={id} title={title} address={`/api/music/${encodeURIComponent(id)}`} />
          </div>
        ))}
        <div class="music-choice" data-checked={value === NONE}>
          {radio(NONE)}
          <label for={`music-${NONE}`}>
            No music{preset === NONE && <span class="hint"> the design’s own</span>}
          </label>
        </div>
        {isFile && (
          <div class="music-choice" data-checked>
            {radio(value)}
            <label for={`music-${value}`} dir="auto">
              {value} <span class="hint">your own file</span>
            </label>
            {own !== undefined && (
              <ListenButton id={value} title={value} address={`/api/audio/${encodeURIComponent(own.plan)}`} />
            )}
          </div>
        )}
      </fieldset>
      <div id="music-notes">
        <Notes
          faults={listenProblem.value === null ? faults : [...faults, listenProblem.value]}
          warnings={warnings}
        />
      </div>
      <FileDrop
        purpose="music"
        accept="audio/*,.m4a,.mp4"
        label="Choose a file"
        of="Music of your own"
        onAdded={(url) => target.put(url)}
      >
        <span class="hint">Drop music of your own here. You need the right to use it.</span>
      </FileDrop>
    </section>
  );

  function titleOf(place: number): string {
    const id = toText(dataTarget('', [place], MUSIC).value);
    return id === NONE ? 'none' : (music.find((each) => each.id === id)?.title ?? id);
  }
}

interface ListenProps {
  readonly id: string;
  readonly title: string;
  readonly address: string;
}

function ListenButton({ id, title, address }: ListenProps) {
  const isHeard = heard.value === id;
  return (
    <button
      type="button"
      class="quiet"
      aria-pressed={isHeard}
      aria-label={`Listen to ${title}`}
      onClick={() => (isHeard ? stopListening() : listen(id, address))}
    >
      {isHeard ? 'Stop' : 'Listen'}
    </button>
  );
}
