/** The address, the facts and the words of the property. */
import { parseLink } from '../../../listing/words/link.ts';
import { formatPrice } from '../../../listing/words/price.ts';
import { UPLOAD_TEXTS } from '../../../listing/words/upload-texts.ts';
import type { ListingPath, StudioDataLayer } from '../../editor/protocol.ts';
import { DataField, type DataFieldProps } from '../fields/data-field.tsx';
import { ScopeSelect } from '../fields/scope-select.tsx';
import { TextField, type TextFieldProps } from '../fields/text-field.tsx';
import { AddressFields } from './address-fields.tsx';
import { agentsInScope, layersOf } from './agent-data.ts';
import type { Form } from './form.ts';
import { AREA, COUNT } from './read-values.ts';
import { fieldTarget } from './target.ts';
import { UploadFields } from './upload-fields.tsx';

/** Layers whose place is here. Every template has them, unless it leaves one out. */
const WORDS: readonly (Pick<DataFieldProps, 'label' | 'placeholder' | 'hint' | 'noteOf'> & {
  readonly name: string;
})[] = [
  { name: 'price', label: 'Price', placeholder: 'e.g. $500,000', noteOf: priceNote },
  { name: 'status', label: 'Status', placeholder: 'e.g. Just listed or Sold' },
  { name: 'open_house', label: 'Open house', placeholder: 'e.g. Saturday, 1 to 4 pm' },
  { name: 'headline', label: 'Headline above the address' },
  { name: 'link', label: 'Link', placeholder: 'e.g. harborpine.example/128', noteOf: linkNote },
];

export const PROPERTY_LAYERS: readonly unknown[] = [
  ...WORDS.map(({ name }) => name),
  ...Object.values(UPLOAD_TEXTS),
];

const OWN_FIELDS: readonly unknown[] = [
  'id',
  'address',
  'bedrooms',
  'bathrooms',
  'half_bathrooms',
  'interior_square_footage',
];

export const PROPERTY: Form = {
  id: 'property',
  title: 'Property',
  View: PropertyForm,
  has: (path) => OWN_FIELDS.includes(path[0]) || isVideoText(path),
};

/** A text of the video that this form shows. */
export function isVideoText([first, , , , layer]: ListingPath): boolean {
  return first === 'agents' && PROPERTY_LAYERS.includes(layer);
}

function PropertyForm() {
  return (
    <>
      <section class="group" aria-labelledby="group-address">
        <h3 id="group-address">Address</h3>
        <AddressFields path={['address']} title="Address" />
      </section>
      <section class="group" aria-labelledby="group-facts">
        <h3 id="group-facts">Facts</h3>
        <div class="pair">
          <OwnField name="bedrooms" label="Bedrooms" form={COUNT} inputMode="numeric" />
          <OwnField
            name="interior_square_footage"
            label="Square feet inside"
            form={AREA}
            inputMode="decimal"
          />
          <OwnField name="bathrooms" label="Full bathrooms" form={COUNT} inputMode="numeric" />
          <OwnField name="half_bathrooms" label="Half bathrooms" form={COUNT} inputMode="numeric" />
        </div>
      </section>
      <Words />
      <UploadFields />
      <section class="group" aria-labelledby="group-listing">
        <h3 id="group-listing">Listing</h3>
        <OwnField name="id" label="Id of the listing" />
      </section>
    </>
  );
}

interface OwnFieldProps extends Pick<TextFieldProps, 'label' | 'form' | 'inputMode'> {
  readonly name: string;
}

function OwnField({ name, label, ...rest }: OwnFieldProps) {
  const step = `Change ${label.charAt(0).toLowerCase()}${label.slice(1)}`;
  return <TextField label={label} target={fieldTarget(step, [name])} {...rest} />;
}

function Words() {
  const places = agentsInScope();
  const layers = layersOf(places);
  return (
    <section class="group" aria-labelledby="group-words">
      <h3 id="group-words">In the video</h3>
      <ScopeSelect />
      {places.length === 0 && (
        <p class="hint">Add an agent first: each agent gets a video with these words.</p>
      )}
      {WORDS.map(({ name, ...rest }) => {
        const layer = layers.find((each) => each.name === name) ?? textLayer(name);
        return <DataField key={name} layer={layer} places={places} {...rest} />;
      })}
    </section>
  );
}

/** Of a template that cannot be read, or has no such layer: its value stays in the file. */
export function textLayer(name: string): StudioDataLayer {
  const none = { min: null, max: null, options: null, max_length: null };
  return { name, label: name, description: '', type: 'text', default: '', example: '', ...none };
}

function priceNote(value: string): string | null {
  const shown = formatPrice(value);
  if (shown === null) return 'Not a price: the video leaves it out';
  return shown === value ? null : `Shown as ${shown}`;
}

export function linkNote(value: string): string | null {
  const link = parseLink(value);
  return 'problem' in link ? `The link ${link.problem}` : 'Shown as a QR code';
}
