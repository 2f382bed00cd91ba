/** What a photo is and does: altered, with its label and its original; its kind, its emphasis and its focus. */
import { alteredLabel } from '../../../listing/words/altered-label.ts';
import type { ListingPath, StudioPhoto } from '../../editor/protocol.ts';
import { afterRender } from '../after-render.ts';
import { announce } from '../announce.tsx';
import { Field, Notes } from '../field.tsx';
import { SelectField } from '../fields/select-field.tsx';
import { TextInput } from '../fields/text-field.tsx';
import { faultsOf, warningsOf } from '../forms/findings.ts';
import { fieldTarget, type Target, toDataPath, toElementId } from '../forms/target.ts';
import { Icon } from '../icon.tsx';
import { IconButton } from '../icon-button.tsx';
import { edit, listingValue, showPhoto, view } from '../listing.ts';
import { reasonWords } from '../words.ts';
import { chooseFocus } from './focus-dialog.tsx';
import { chooseOriginal } from './original-dialog.tsx';
import { assetsOf, setAltered } from './photo-edits.ts';
import { fileNameOf, hasPicture, Picture } from './pictures.tsx';

const USUAL_EMPHASIS = 'normal';
/** As the schema of a listing says. */
const MAX_LABEL_CHARS = 60;
const USUAL_LABELS = [
  'Virtually staged',
  'Digitally altered',
  'Digitally altered: sky replaced',
  'Rendering',
];
const LABELS_ID = 'usual-labels';
const GUESSED = { photo: 'Photo', floor_plan: 'Floor plan' };

interface PhotoFactsProps {
  readonly index: number;
  /** Null until the studio has looked at it. */
  readonly photo: StudioPhoto | null;
}

export function PhotoFacts({ index, photo }: PhotoFactsProps) {
  const path: ListingPath = ['assets', index];
  const altered = listingValue([...path, 'altered']);
  const isAltered = altered !== undefined && altered !== false;
  const kind = fieldTarget(`Kind of photo ${index + 1}`, [...path, 'kind']);
  const guess = photo?.guess ? `${GUESSED[photo.guess.kind]} (auto)` : 'Automatic';
  const id = toElementId([...path, 'altered', 'switch']);
  const switchOn = (isOn: boolean) => {
    edit(
      isOn ? 'Mark photo as altered' : 'Mark photo as not altered',
      setAltered(view.value!.listing, index, isOn || null),
    );
  };
  return (
    <div class="photo-facts">
      <div class="photo-switches">
        <label class="switch" for={id}>
          <input
            type="checkbox"
            id={id}
            aria-label={`This photo is altered, photo ${index + 1}`}
            checked={isAltered}
            onChange={({ currentTarget }) => switchOn(currentTarget.checked)}
          />
          Altered
        </label>
        <SelectField
          label={`Kind of photo ${index + 1}`}
          target={kind}
          options={[
            ['', guess],
            ['photo', 'Photo'],
            ['floor_plan', 'Floor plan'],
          ]}
        />
        <PhotoEmphasis index={index} />
        <PhotoFocus index={index} photo={photo} />
      </div>
      {isAltered ? (
        <Alteration index={index} photo={photo} />
      ) : (
        <Notes faults={faultsOf([[...path, 'original']])} />
      )}
    </div>
  );
}

function PhotoEmphasis({ index }: Pick<PhotoFactsProps, 'index'>) {
  const label = `Emphasis of photo ${index + 1}`;
  const { put, ...target } = fieldTarget(label, ['assets', index, 'emphasis']);
  return (
    <SelectField
      label={label}
      target={{ ...target, put: (value) => put(value === USUAL_EMPHASIS ? undefined : value) }}
      preset={USUAL_EMPHASIS}
      options={[
        [USUAL_EMPHASIS, 'Normal time'],
        ['high', 'Twice as long'],
        ['low', 'Beside others'],
      ]}
    />
  );
}

/** Without a picture there is nothing to choose a point on, and a floor plan is shown whole. */
function PhotoFocus({ index, photo }: PhotoFactsProps) {
  const path: ListingPath = ['assets', index, 'focus'];
  const paths = [path, [...path, 'x'], [...path, 'y']];
  const { url, kind = photo?.guess?.kind } = assetsOf(view.value!.listing)[index] ?? {};
  const isChosen = listingValue(path) !== undefined;
  if (!isChosen && (typeof url !== 'string' || !hasPicture(url, photo?.digest ?? null))) return null;
  if (!isChosen && kind === 'floor_plan') {
    return (
      <div class="focus-field">
        <p class="hint">Shown whole</p>
      </div>
    );
  }
  const words = isChosen ? 'Focus: by hand' : 'Focus: automatic';
  const id = toElementId(path);
  const faults = faultsOf(paths);
  return (
    <div class="focus-field">
      <button
        type="button"
        id={id}
        class="quiet"
        data-path={toDataPath(paths)}
        aria-label={`${words}, photo ${index + 1}`}
        {...(faults.length > 0 ? { 'aria-describedby': `${id}-notes` } : {})}
        onClick={() => {
          showPhoto(index);
          chooseFocus(index);
        }}
      >
        <Icon name="focus" /> {words}
      </button>
      {faults.length > 0 && (
        <div id={`${id}-notes`}>
          <Notes faults={faults} />
        </div>
      )}
    </div>
  );
}

function Alteration({ index, photo }: PhotoFactsProps) {
  const path: ListingPath = ['assets', index, 'altered'];
  const value = listingValue(path);
  const number = index + 1;
  const target: Target = {
    id: toElementId(path),
    paths: [path],
    value: typeof value === 'string' ? value : undefined,
    put: (text, options) =>
      edit(
        `Label of photo ${number}`,
        setAltered(view.value!.listing, index, typeof text === 'string' ? text : true),
        options,
      ),
  };
  return (
    <>
      <Field
        id={target.id}
        label={`Label on photo ${number}`}
        hint={target.value === undefined ? `If empty: “${alteredLabel({ altered: true })}”.` : undefined}
        faults={faultsOf(target.paths)}
        warnings={warningsOf(target.paths)}
        input={(attributes) => (
          <TextInput
            attributes={{ ...attributes, list: LABELS_ID, maxLength: MAX_LABEL_CHARS }}
            target={target}
          />
        )}
      />
      <Original index={index} photo={photo} />
    </>
  );
}

/** The list of every label field on the page. */
export function UsualLabels() {
  return (
    <datalist id={LABELS_ID}>
      {USUAL_LABELS.map((label) => (
        <option key={label} value={label} />
      ))}
    </datalist>
  );
}

function Original({ index, photo }: PhotoFactsProps) {
  const path: ListingPath = ['assets', index, 'original'];
  const id = toElementId(path);
  const url = listingValue(path);
  const number = index + 1;
  const image = photo?.original?.url === url ? photo?.original : null;
  const faults = [...faultsOf([path]), ...(image?.problem ? [reasonWords(image.problem)] : [])];
  const remove = () => {
    fieldTarget(`Remove original of photo ${number}`, path).put(undefined);
    announce(`The original of photo ${number} was removed. Undo brings it back.`);
    afterRender(() => document.getElementById(id)?.focus());
  };
  return (
    <div class="original">
      {typeof url === 'string' && (
        <span class="original-image">
          <Picture url={url} digest={image?.digest ?? null} />
        </span>
      )}
      {typeof url === 'string' && (
        <span class="photo-name" title={fileNameOf(url)}>
          {fileNameOf(url)}
        </span>
      )}
      <button
        type="button"
        id={id}
        data-path={toDataPath([path])}
        aria-label={`${url === undefined ? 'Choose' : 'Replace'} original of photo ${number}`}
        {...(faults.length > 0 ? { 'aria-describedby': `${id}-notes` } : {})}
        onClick={() => chooseOriginal(index)}
      >
        {url === undefined ? 'Choose original …' : 'Replace …'}
      </button>
      {url !== undefined && (
        <IconButton icon="out" label={`Remove original of photo ${number}`} onClick={remove} />
      )}
      {faults.length > 0 && (
        <div class="original-notes" id={`${id}-notes`}>
          <Notes faults={faults} />
        </div>
      )}
    </div>
  );
}
