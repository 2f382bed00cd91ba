/** Starts the page. */
import { render } from 'preact';
import { keepListingIn } from '../../components/listing.ts';
import { readAccount } from './account.ts';
import { address } from './address.ts';
import { App } from './app.tsx';
import { key } from './keys.ts';
import { draft, draftSource } from './new-video/draft.ts';

address.value = location.hash;
const root = document.getElementById('page');
if (root !== null) {
  keepListingIn(draftSource);
  root.replaceChildren();
  render(<App />, root);
}
addEventListener('beforeunload', (event) => {
  if (draft.peek() !== '') event.preventDefault();
});
// A key that is entered later can be that of another organization.
key.subscribe((used) => {
  if (used !== null) void readAccount();
});
if (key.peek() === null) void readAccount();
