/** The template of the videos, and its data layers as a form that is made from their declaration. */
import { Notes } from '../../components/field.tsx';
import { DataField } from '../../components/fields/data-field.tsx';
import { LENGTH_LAYER, LengthField } from '../../components/fields/length-field.tsx';
import { RawNote } from '../../components/fields/raw-note.tsx';
import { ScopeSelect } from '../../components/fields/scope-select.tsx';
import { agentsInScope, dataPath, dataTarget, layersOf } from '../../components/forms/agent-data.ts';
import { faultsOf, warningsOf } from '../../components/forms/findings.ts';
import { type Form, isPhotoText } from '../../components/forms/form.ts';
import { agentTitle, toText } from '../../components/forms/listing-edits.ts';
import { isVideoText } from '../../components/forms/property-form.tsx';
import { toDataPath } from '../../components/forms/target.ts';
import { listingValue, view } from '../../components/listing.ts';
import { isObject } from '../../document/json.ts';
import type { ListingPath, StudioDataLayer } from '../../editor/protocol.ts';
import { TemplateGallery } from './template-gallery.tsx';

export const TEMPLATE: Form = {
  id: 'template',
  title: 'Template',
  View: TemplateForm,
  has: (path) => {
    const [first, , options, field] = path;
    if (first !== 'agents' || options !== 'video_options') return false;
    return field === 'template_id' || (field === 'template_data' && !isVideoText(path) && !isPhotoText(path));
  },
};

/** The groups of the form. A layer is in the first that has it. */
const GROUPS: readonly {
  readonly title: string;
  readonly has: (layer: StudioDataLayer) => boolean;
  readonly isClosed?: boolean;
}[] = [
  { title: 'Logo and images', has: ({ type }) => type === 'image' },
  { title: 'Colors', has: ({ type }) => type === 'color' },
  { title: 'Labels', has: ({ name }) => name.startsWith('label_'), isClosed: true },
  { title: 'Texts', has: ({ type }) => type === 'text' },
  { title: 'Options', has: () => true },
];
const ORDER = ['Logo and images', 'Colors', 'Texts', 'Options', 'Labels'];

function TemplateForm() {
  const places = agentsInScope();
  if (places.length === 0) return <p class="hint">Add an agent first: each agent gets a video.</p>;
  const layers = layersOf(places).filter(
    ({ name }) => name !== 'music' && !isVideoText(dataPath(0, name)) && !isPhotoText(dataPath(0, name)),
  );
  const length = layers.find(({ name }) => name === LENGTH_LAYER);
  const groupOf = (layer: StudioDataLayer) => GROUPS.find(({ has }) => has(layer))!.title;
  return (
    <>
      <section class="group" aria-labelledby="group-gallery">
        <h3 class="spoken" id="group-gallery">
          Template
        </h3>
        <ScopeSelect />
        <TemplateGallery />
      </section>
      {places
        .filter((place) => !isObject(listingValue(dataHolder(place)) ?? {}))
        .map((place) => (
          <RawNote key={place} title="Template data" path={dataHolder(place)} />
        ))}
      <HolderNotes places={places} />
      {length !== undefined && (
        <section class="group" aria-label="Length of the videos">
          <LengthField places={places} />
        </section>
      )}
      {ORDER.map((title) => {
        const own = layers.filter((layer) => layer !== length && groupOf(layer) === title);
        const fields = own.map((layer) => (
          <DataField key={layer.name} layer={layer} places={places} hasReset {...wordsOf(layer)} />
        ));
        if (own.length === 0) return null;
        return title === 'Labels' ? (
          <details class="group" key={title}>
            <summary>{title} of the facts</summary>
            {fields}
          </details>
        ) : (
          <section class="group" key={title} aria-label={title}>
            <h3>{title}</h3>
            <div class="group-fields">{fields}</div>
          </section>
        );
      })}
      <Unused places={places} />
    </>
  );
}

/** Where people have a better word than the name of the layer. */
const LABELS: Readonly<Record<string, string>> = {
  paper: 'Background',
  ink: 'Text',
  equal_housing: 'Equal housing logo',
  grade: 'Photo correction',
  pace: 'Speed',
  show_facts: 'Facts',
  cta: 'Closing line',
  'poster-first': 'Start on the finished opening',
};

/** The description says what a layer does, and of a label (`Label of one bedroom.`) which it is. */
function wordsOf({ name, label, description }: StudioDataLayer): {
  readonly label: string;
  readonly hint?: string;
} {
  const [, fact] = /^Label of (.+?)\.?$/.exec(description) ?? [];
  if (fact !== undefined) return { label: fact.charAt(0).toUpperCase() + fact.slice(1) };
  return { label: LABELS[name] ?? label, ...(description === '' ? {} : { hint: description }) };
}

function dataHolder(place: number): ListingPath {
  return dataPath(place, '').slice(0, -1);
}

/** What concerns the template data as a whole. */
function HolderNotes({ places }: { readonly places: readonly number[] }) {
  const paths = places.map(dataHolder);
  const warnings = warningsOf(paths);
  if (warnings.length === 0) return null;
  return (
    <div data-path={toDataPath(paths)} tabIndex={-1}>
      <Notes warnings={warnings} />
    </div>
  );
}

/** Data in the file that the template has no layer for. It stays there: another template can use it. */
function Unused({ places }: { readonly places: readonly number[] }) {
  const { listing } = view.value!;
  const found = places.flatMap((place) => {
    const data = listingValue(dataHolder(place));
    const known = new Set(layersOf([place]).map(({ name }) => name));
    // A template that cannot be read has no layers to compare with.
    if (!isObject(data) || known.size === 0) return [];
    return Object.keys(data).flatMap((name) => (known.has(name) ? [] : [{ place, name }]));
  });
  const names = [...new Set(found.map(({ name }) => name))];
  if (names.length === 0) return null;
  return (
    <section class="group" aria-labelledby="group-unused">
      <h3 id="group-unused">Not used by this template</h3>
      <p class="hint">These values stay in the file. A template that has them uses them again.</p>
      <ul class="unused">
        {names.map((name) => {
          const own = found.filter((each) => each.name === name).map(({ place }) => place);
          const target = dataTarget(`Remove ${name}`, own, name);
          const whose =
            own.length < places.length ? ` (${own.map((each) => agentTitle(listing, each)).join(', ')})` : '';
          return (
            <li key={name} data-path={toDataPath(target.paths)} tabIndex={-1}>
              <span class="label" dir="auto">
                {name}
                {whose}
              </span>
              <span class="unused-value" dir="auto">
                {toText(target.value).slice(0, 200)}
              </span>
              <button
                type="button"
                class="quiet"
                aria-label={`Remove ${name} from the file`}
                onClick={() => {
                  target.put(undefined);
                  document.getElementById('group-unused')?.closest('.form')?.querySelector('input')?.focus();
                }}
              >
                Remove
              </button>
              <Notes faults={faultsOf(target.paths)} warnings={warningsOf(target.paths)} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}
