/** The music of the videos: the template's own, another of the program, a file of your own, or none. */
import { useEffect } from 'preact/hooks';
import { Notes } from '../../components/field.tsx';
import { FileDrop } from '../../components/fields/file-drop.tsx';
import { ScopeSelect } from '../../components/fields/scope-select.tsx';
import { agentsInScope, dataPath, dataTarget, isMixed, layersOf } from '../../components/forms/agent-data.ts';
import { faultsOf, warningsOf } from '../../components/forms/findings.ts';
import type { Form } from '../../components/forms/form.ts';
import { agentTitle, toText } from '../../components/forms/listing-edits.ts';
import { toDataPath } from '../../components/forms/target.ts';
import { IconButton } from '../../components/icon-button.tsx';
import { listingValue } from '../../components/listing.ts';
import type { MusicChoice, StudioVideo } from '../../editor/protocol.ts';
import { showStage } from '../stage/show-stage.ts';
import { state } from '../state.ts';
import { heard, listen, listenProblem, stopListening } from './listen.ts';

const LAYER = 'music';
const NONE = 'none';
/** One of its mood, by the listing. */
const TEMPLATE_OWN = '';

export const MUSIC: Form = {
  id: 'music',
  title: 'Music',
  View: MusicForm,
  has: ([first, , , , layer]) => first === 'agents' && layer === LAYER,
};

function MusicForm() {
  useEffect(() => stopListening, []);
  const { music, listing, videos } = state.value!;
  const places = agentsInScope();
  if (places.length === 0) return <p class="hint">Add an agent first: each agent gets a video.</p>;
  const preset = layersOf(places).find(({ name }) => name === LAYER)?.default ?? NONE;
  const mixed = isMixed(places, (place) => dataPath(place, LAYER));
  const target = dataTarget('Change music', places, LAYER);
  const value = mixed ? null : toText(target.value);
  // A file is heard as in the video.
  const own = videos.find(({ agent_id }) => agent_id === listingValue(['agents', places[0]!, 'id']));
  const faults = faultsOf(target.paths);
  const warnings = warningsOf(target.paths);
  const described = faults.length + warnings.length > 0 ? { 'aria-describedby': 'music-notes' } : {};
  const choices = [
    ownChoice(preset, value === TEMPLATE_OWN ? (own?.music ?? null) : null, music),
    ...music.map(toChoice),
    { id: NONE, title: 'No music', sound: '', address: null },
  ];
  if (value !== null && !choices.some(({ id }) => id === value)) {
    const sound = ['your own file', tempoWords(own?.music?.bpm ?? null)].filter(Boolean).join(', ');
    const address = own === undefined ? null : `/api/audio/${encodeURIComponent(own.plan)}`;
    choices.push({ id: value, title: value, sound, address });
  }
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
            .map((place) => `${agentTitle(listing, place)} has ${titleOf(place) || 'the template’s own'}`)
            .join(', ')}
          . A choice here is for all.
        </p>
      )}
      <fieldset class="music-list" aria-labelledby="group-music" {...described}>
        {choices.map(({ id, title, sound, address }) => (
          <div class="music-choice" key={id} data-checked={value === id}>
            <input
              type="radio"
              name="music"
              id={`music-${id}`}
              value={id}
              checked={value === id}
              data-path={value === id ? toDataPath(target.paths) : undefined}
              onChange={() => {
                target.put(id === TEMPLATE_OWN ? undefined : id);
                showStage();
              }}
            />
            <label for={`music-${id}`} dir="auto">
              {title}
              {sound !== '' && <span class="hint music-sound">{sound}</span>}
            </label>
            {address !== null && <ListenButton id={id} title={title} address={address} />}
          </div>
        ))}
      </fieldset>
      <p class="hint">Music is fitted to the length of the video.</p>
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
    const id = toText(dataTarget('', [place], LAYER).value);
    return id === NONE ? 'none' : (music.find((each) => each.id === id)?.title ?? id);
  }
}

interface Choice {
  readonly id: string;
  readonly title: string;
  /** Mood and tempo. */
  readonly sound: string;
  /** Null: there is nothing to hear. */
  readonly address: string | null;
}

function toChoice({ id, title, mood, bpm }: MusicChoice): Choice {
  const sound = [mood, tempoWords(bpm)].filter(Boolean).join(', ');
  return { id, title, sound, address: `/api/music/${encodeURIComponent(id)}` };
}

/** @param chosen - The one that the listing gets; null while another is chosen. */
function ownChoice(preset: string, chosen: StudioVideo['music'], music: readonly MusicChoice[]): Choice {
  const title = 'The template’s own';
  if (chosen === null)
    return { id: TEMPLATE_OWN, title, sound: preset === NONE ? 'no music' : '', address: null };
  const known = music.find(({ id }) => id === chosen.id) ?? { ...chosen, mood: null };
  const { sound, address } = toChoice(known);
  return { id: TEMPLATE_OWN, title: `${title}: ${chosen.title}`, sound, address };
}

function tempoWords(bpm: number | null): string {
  return bpm === null ? '' : `${Math.round(bpm)} bpm`;
}

interface ListenProps {
  readonly id: string;
  readonly title: string;
  readonly address: string;
}

function ListenButton({ id, title, address }: ListenProps) {
  const isHeard = heard.value === id;
  return (
    <IconButton
      icon={isHeard ? 'stop' : 'play'}
      label={`Listen to ${title}`}
      isPressed={isHeard}
      onClick={() => (isHeard ? stopListening() : listen(id, address))}
    />
  );
}
