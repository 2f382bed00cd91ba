/** Starts the start page. */
import { signal } from '@preact/signals';
import { render } from 'preact';
import { keepListingIn, type ListingView } from '../components/listing.ts';
import { App } from './app.tsx';
import { failedUploads, openSent } from './new-listing.tsx';
import { connect, storePhoto } from './state.ts';

/** Photos are sent as for a listing. It has nothing else yet, and opens when they are there. */
const EMPTY: ListingView = {
  listing: {},
  ...{ violations: [], warnings: [], phones: [], photos: [], images: [], videos: [], templates: [] },
  left_out: [],
};

const root = document.getElementById('start');
if (root !== null) {
  keepListingIn({
    view: signal(EMPTY),
    edit: () => {
      // Those that cannot be used are named first.
      if (failedUploads.value.length === 0) openSent();
    },
    storeFile: storePhoto,
  });
  root.replaceChildren();
  render(<App />, root);
  connect();
}
