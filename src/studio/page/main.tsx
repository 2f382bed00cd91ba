/** Starts the studio's page. */
import { render } from 'preact';
import { App } from './app.tsx';
import { listenToKeys } from './keys.ts';
import { connect, isSaving } from './state.ts';

const root = document.getElementById('studio');
if (root !== null) {
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
