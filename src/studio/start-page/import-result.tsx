/** What came of an import: each listing with a button that opens it, or why there is none. */
import { useEffect, useRef } from 'preact/hooks';
import { countWords } from '../../listing/words/count-words.ts';
import { sentence } from '../components/words.ts';
import type { ImportedListing } from '../start/protocol.ts';
import { imported, open } from './state.ts';

/** Of one import that are shown; a file can have thousands. */
const MAX_SHOWN = 200;

const STATES: Readonly<Record<ImportedListing['state'], string>> = {
  written: 'New',
  unchanged: 'Not changed',
  kept: 'Your changes were kept',
  skipped: 'Left out',
  invalid: 'Not valid',
};

export function ImportResult() {
  const result = imported.value;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (result !== null) heading.current?.focus();
  }, [result]);
  if (result === null) return null;
  const { file, folder, listings } = result;
  const usable = listings.filter(({ key }) => key !== null).length;
  const rest = listings.length - MAX_SHOWN;
  return (
    <section class="imported" aria-labelledby="imported-title">
      <h2 id="imported-title" ref={heading} tabIndex={-1}>
        {countWords(usable, 'listing')} from {file}
      </h2>
      <p class="hint">Each has its own folder in {folder}.</p>
      <ul>
        {listings.slice(0, MAX_SHOWN).map((listing, index) => (
          <li key={`${index} ${listing.name}`}>
            <Line listing={listing} />
          </li>
        ))}
      </ul>
      {rest > 0 && <p class="hint">And {countWords(rest, 'more record')}.</p>}
    </section>
  );
}

function Line({ listing: { key, name, state, photos, reasons } }: { readonly listing: ImportedListing }) {
  return (
    <>
      <span>
        {name}
        <small>
          {STATES[state]}
          {key !== null && ` · ${countWords(photos, 'photo')}`}
          {reasons.length > 0 && `: ${sentence(reasons.join('; '))}`}
        </small>
      </span>
      {key !== null && (
        <button
          type="button"
          aria-label={`Open ${name}`}
          onClick={() => void open({ listing: key }, `Opening ${name} …`)}
        >
          Open
        </button>
      )}
    </>
  );
}
