/** Starts the studio's page. */
import { render } from 'preact';
import { keepListingIn } from '../components/listing.ts';
import { storeFile } from './api.ts';
import { App } from './app.tsx';
import { listenToKeys } from './keys.ts';
import { showPhoto } from './stage/player.ts';
import { showField } from './stage/show-field.ts';
import { connect, edit, isSaving, request, state } from './state.ts';

const root = document.getElementById('studio');
if (root !== null) {
  keepListingIn({
    ...{ view: state, edit, storeFile, showPhoto, showField, isFile: true, hasTemplateForm: true },
    showMoreLeftOut: () => void request('POST', 'left-out/more'),
  });
  root.replaceChildren();
  render(<App />, root);
  listenToKeys();
  // A file that misses its place must not replace the page.
  for (const name of ['dragover', 'drop']) addEventListener(name, (event) => event.preventDefault());
  addEventListener('beforeunload', (event) => {
    if (isSaving.value) event.preventDefault();
  });
  connect();
}
