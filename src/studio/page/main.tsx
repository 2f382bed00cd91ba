/** Starts the studio's page. */
import { render } from 'preact';
import { App } from './app.tsx';
import { connect } from './state.ts';

const root = document.getElementById('studio');
if (root !== null) {
  root.replaceChildren();
  render(<App />, root);
  connect();
}
