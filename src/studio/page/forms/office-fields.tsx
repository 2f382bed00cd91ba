/** The office on an agent's card: the first of the list. The others stay in the file. */
import type { ComponentChildren } from 'preact';
import { stateCode } from '../../../listing/words/us-states.ts';
import type { ListingPath } from '../../editor/protocol.ts';
import { listingValue } from '../state.ts';
import { countWords } from '../../components/words.ts';
import { PhoneFields } from '../../components/forms/agent-lists.tsx';
import { isObject } from '../../components/forms/listing-edits.ts';
import { RawNote } from '../../components/fields/raw-note.tsx';
import { fieldTarget } from '../../components/forms/target.ts';
import { TextField } from '../../components/fields/text-field.tsx';

export function OfficeFields({ path }: { readonly path: ListingPath }) {
  const offices = listingValue(path) ?? [];
  if (!Array.isArray(offices)) return <RawNote title="Offices" path={path} />;
  const first = [...path, 0];
  const others = offices.length - 1;
  const target = (label: string, ...names: string[]) =>
    fieldTarget(`Change ${label} of office`, [...first, ...names]);
  return (
    <fieldset class="items">
      <legend>Office</legend>
      {offices.length > 0 && !isObject(offices[0]) ? (
        <RawNote title="Office" path={first} />
      ) : (
        <>
          <TextField label="Name" target={target('name', 'name')} />
          <Holder title="Address of the office" path={[...first, 'address']}>
            <TextField label="Street and number" target={target('street', 'address', 'street')} />
            <TextField label="City" target={target('city', 'address', 'city')} />
            <div class="pair">
              <TextField label="State" target={target('state', 'address', 'state')} tidy={stateCode} />
              <TextField label="Postal code" target={target('postal code', 'address', 'postal_code')} />
            </div>
          </Holder>
          <Holder title="Phone of the office" path={[...first, 'phone_number']}>
            <PhoneFields path={[...first, 'phone_number']} label="Phone" />
          </Holder>
        </>
      )}
      {others > 0 && <p class="hint">{countWords(others, 'more office')} in the file: a card shows one.</p>}
    </fieldset>
  );
}

interface HolderProps {
  readonly title: string;
  readonly path: ListingPath;
  readonly children: ComponentChildren;
}

/** Fields of an object, or what stands in its place. */
function Holder({ title, path, children }: HolderProps) {
  const value = listingValue(path) ?? {};
  return <div class="group-fields">{isObject(value) ? children : <RawNote title={title} path={path} />}</div>;
}
