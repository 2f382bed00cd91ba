/** Starts the page. */
import { render } from 'preact';
import { readAccount } from './account.ts';
import { address } from './address.ts';
import { App } from './app.tsx';

address.value = location.hash;
const root = document.getElementById('page');
if (root !== null) {
  root.replaceChildren();
  render(<App />, root);
}
void readAccount();
