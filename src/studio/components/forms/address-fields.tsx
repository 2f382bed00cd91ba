/** The address of the property or of an office. */
import { stateCode } from '../../../listing/words/us-states.ts';
import { isObject } from '../../document/json.ts';
import type { ListingPath } from '../../editor/protocol.ts';
import { RawNote } from '../fields/raw-note.tsx';
import { TextField } from '../fields/text-field.tsx';
import { listingValue } from '../listing.ts';
import { fieldTarget } from './target.ts';

interface AddressFieldsProps {
  readonly path: ListingPath;
  readonly title: string;
  /** After the label of a step of undo: `Change city of office`. */
  readonly of?: string;
}

export function AddressFields({ path, title, of = '' }: AddressFieldsProps) {
  if (!isObject(listingValue(path) ?? {})) return <RawNote title={title} path={path} />;
  const target = (name: string, words = name) => fieldTarget(`Change ${words}${of}`, [...path, name]);
  return (
    <div class="group-fields">
      <TextField label="Street and number" target={target('street', 'street and number')} />
      <TextField label="City" target={target('city')} />
      <div class="pair">
        <TextField label="State" target={target('state')} tidy={stateCode} />
        <TextField label="Postal code" target={target('postal_code', 'postal code')} />
      </div>
    </div>
  );
}
