/** A value of another type than the form can edit: shown as it is in the file, with what is wrong and a way out. */

import { toPointer } from '../../document/json.ts';
import type { ListingPath } from '../../editor/protocol.ts';
import { Notes } from '../field.tsx';
import { faultsOf } from '../forms/findings.ts';
import { toText } from '../forms/listing-edits.ts';
import { toElementId } from '../forms/target.ts';
import { edit, listingValue } from '../listing.ts';

const MAX_CHARS = 300;

export function RawNote({ title, path }: { readonly title: string; readonly path: ListingPath }) {
  const text = toText(listingValue(path));
  const id = toElementId(path);
  return (
    <div class="raw-note" id={id} tabIndex={-1} data-path={toPointer(path)}>
      <p class="label">{title}, as it is in the file</p>
      <pre dir="auto">{text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text || 'null'}</pre>
      <Notes faults={faultsOf([path])} />
      <button
        type="button"
        onClick={() => edit(`Remove ${title.toLowerCase()}`, [{ op: 'remove', path: toPointer(path) }])}
      >
        Remove it and start anew
      </button>
    </div>
  );
}
