/** The whole page: new listings, what an import made, and the listings of before. */
import { Spoken } from '../components/announce.tsx';
import { ImportResult } from './import-result.tsx';
import { NewListing } from './new-listing.tsx';
import { RecentListings } from './recent-listings.tsx';
import { away, refusal, state } from './state.ts';

export function App() {
  return (
    <>
      <header class="head">
        <p class="brand">Listing video</p>
      </header>
      {state.value === null ? (
        <main class="waiting">
          <p>{away.value ?? 'Opening …'}</p>
        </main>
      ) : (
        <main>
          <Notices />
          <NewListing folder={state.value.folder} />
          <ImportResult />
          <RecentListings listings={state.value.recent} />
        </main>
      )}
      <Spoken />
    </>
  );
}

function Notices() {
  const words = away.value ?? refusal.value;
  if (words === null) return null;
  return (
    <div class="notice">
      <p>{words}</p>
      {away.value === null && (
        <button
          type="button"
          class="quiet"
          onClick={() => {
            refusal.value = null;
          }}
        >
          Close
        </button>
      )}
    </div>
  );
}
