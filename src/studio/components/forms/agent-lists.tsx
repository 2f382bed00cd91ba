/** The phones, e-mail addresses and licenses of an agent. */
import { stateCode } from '../../../listing/words/us-states.ts';
import type { ListingPath } from '../../editor/protocol.ts';
import { ItemList } from '../fields/item-list.tsx';
import { SelectField } from '../fields/select-field.tsx';
import { TextField } from '../fields/text-field.tsx';
import { isFile, listingValue } from '../listing.ts';
import { ifEmpty } from '../words.ts';
import { shownPhone } from './findings.ts';
import { fieldTarget } from './target.ts';

interface ListProps {
  readonly path: ListingPath;
}

const PHONE_TYPES = [
  ['', '–'],
  ['mobile', 'Mobile'],
  ['direct', 'Direct'],
  ['office', 'Office'],
] as const;

export function Phones({ path }: ListProps) {
  return (
    <ItemList
      path={path}
      title="Phones"
      noun="phone"
      field="number"
      hint="The card shows two: a direct or mobile number, then one of the office."
      draw={(item, number) => <PhoneFields path={item} label={`Phone ${number}`} />}
    />
  );
}

/** @param label - Of the number: `Phone 2`. */
export function PhoneFields({ path, label }: ListProps & { readonly label: string }) {
  const target = fieldTarget('Change phone', [...path, 'number']);
  const shown = shownPhone(target.paths);
  return (
    <div class="group-fields">
      <TextField
        label={label}
        target={target}
        {...(shown === null ? {} : { hint: `In the video: ${shown}` })}
        inputMode="tel"
        placeholder="e.g. (503) 555-0128"
      />
      <div class="pair">
        <SelectField
          label="Type"
          target={fieldTarget('Change type of phone', [...path, 'type'])}
          options={PHONE_TYPES}
        />
        <TextField
          label="Country"
          target={fieldTarget('Change country of phone', [...path, 'region'])}
          placeholder={ifEmpty('US')}
          tidy={(text) => text.toUpperCase()}
        />
      </div>
    </div>
  );
}

export function Emails({ path }: ListProps) {
  return (
    <ItemList
      path={path}
      title="E-mail"
      noun="e-mail"
      field="address"
      hint="The card shows the first."
      draw={(item, number) => (
        <TextField
          label={`E-mail ${number}`}
          target={fieldTarget('Change e-mail', [...item, 'address'])}
          inputMode="email"
          placeholder="e.g. june@example.com"
        />
      )}
    />
  );
}

export function Licenses({ path }: ListProps) {
  const house = houseState();
  return (
    <ItemList
      path={path}
      title="Licenses"
      noun="license"
      field="number"
      hint="All are shown, the one of the listing’s state first."
      preset={house === null ? {} : { state: house }}
      draw={(item, number) => (
        <div class="license-row">
          <TextField
            label={`License ${number}`}
            target={fieldTarget('Change license', [...item, 'number'])}
            hint={stateHint(item)}
            placeholder="e.g. 201234567"
          />
          <TextField
            label="State"
            target={fieldTarget('Change state of license', [...item, 'state'])}
            placeholder="e.g. OR"
            tidy={stateCode}
          />
        </div>
      )}
    />
  );
}

/** In words, how a license without a state is shown; undefined where that is a fault. */
function stateHint(license: ListingPath): string | undefined {
  const house = houseState();
  const isSaid = listingValue([...license, 'state']) !== undefined;
  return isSaid || house === null || !isFile() ? undefined : `State: ${house}, as the house.`;
}

function houseState(): string | null {
  const state = listingValue(['address', 'state']);
  return typeof state === 'string' && state.trim() !== '' ? stateCode(state) : null;
}
