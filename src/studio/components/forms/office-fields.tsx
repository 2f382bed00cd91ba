/** The office on an agent's card: the first of the list. The others stay in the file. */
import { countWords } from '../../../listing/words/count-words.ts';
import { isObject } from '../../document/json.ts';
import type { ListingPath } from '../../editor/protocol.ts';
import { RawNote } from '../fields/raw-note.tsx';
import { TextField } from '../fields/text-field.tsx';
import { listingValue } from '../listing.ts';
import { AddressFields } from './address-fields.tsx';
import { PhoneFields } from './agent-lists.tsx';
import { fieldTarget } from './target.ts';

export function OfficeFields({ path }: { readonly path: ListingPath }) {
  const offices = listingValue(path) ?? [];
  if (!Array.isArray(offices)) return <RawNote title="Offices" path={path} />;
  const others = offices.length - 1;
  return (
    <fieldset class="items">
      <legend>Office</legend>
      {isObject(offices[0] ?? {}) ? (
        <FirstOffice path={[...path, 0]} />
      ) : (
        <RawNote title="Office" path={[...path, 0]} />
      )}
      {others > 0 && <p class="hint">{countWords(others, 'more office')} in the file: a card shows one.</p>}
    </fieldset>
  );
}

function FirstOffice({ path }: { readonly path: ListingPath }) {
  const phone = [...path, 'phone_number'];
  return (
    <>
      <TextField label="Name" target={fieldTarget('Change name of office', [...path, 'name'])} />
      <AddressFields path={[...path, 'address']} title="Address of the office" of=" of office" />
      {isObject(listingValue(phone) ?? {}) ? (
        <PhoneFields path={phone} label="Phone" />
      ) : (
        <RawNote title="Phone of the office" path={phone} />
      )}
    </>
  );
}
