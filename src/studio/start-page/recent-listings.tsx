/** The listings of before, as cards with their posters. */
import { ageWords } from '../components/words.ts';
import type { RecentListing } from '../start/protocol.ts';
import { open } from './state.ts';

export function RecentListings({ listings }: { readonly listings: readonly RecentListing[] }) {
  if (listings.length === 0) return null;
  return (
    <section aria-labelledby="recent-title">
      <h2 id="recent-title">Recent listings</h2>
      <ul class="cards">
        {listings.map((listing) => (
          <li key={listing.key}>
            <Card listing={listing} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Card({ listing }: { readonly listing: RecentListing }) {
  const { key, title, place, opened_at, poster } = listing;
  return (
    <button type="button" class="card" onClick={() => void open({ listing: key }, `Opening ${title} …`)}>
      <span class="card-picture" aria-hidden="true">
        {poster === null ? 'No image yet' : <img src={poster} alt="" loading="lazy" decoding="async" />}
      </span>
      <span class="title">{title}</span>
      <span class="soft">
        {place}
        {opened_at !== '' && <> · opened {ageWords(opened_at, Date.now())}</>}
      </span>
    </button>
  );
}
