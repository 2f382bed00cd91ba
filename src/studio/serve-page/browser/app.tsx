/** The frame of the page: head, connection, the view of the address, and what screen readers hear. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { countWords } from '../../../listing/words/count-words.ts';
import { Spoken } from '../../components/announce.tsx';
import { balance } from './account.ts';
import { address, NEW_VIDEO, type View, view } from './address.ts';
import { connection } from './connection.ts';
import { KeyDialog } from './key-dialog.tsx';
import { forgetKey, key } from './keys.ts';
import { NewVideo } from './new-video/new-video.tsx';
import { forgetSent } from './new-video/sent-drafts.ts';
import { TaskList } from './tasks/task-list.tsx';
import { TaskPage } from './tasks/task-page.tsx';

export function App() {
  const main = useRef<HTMLElement>(null);
  useNavigation(main);
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: a link to the content, whose address would be read as that of a view */}
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        Skip to the content
      </a>
      <Head page={view.value.page} />
      <p id="connection" class="connection" role="status">
        {connection.value}
      </p>
      <main id="main" ref={main} tabIndex={-1}>
        <Shown key={address.value} view={view.value} />
      </main>
      <Spoken />
      <KeyDialog />
    </>
  );
}

function Head({ page }: { readonly page: View['page'] }) {
  return (
    <header class="masthead">
      <div class="masthead-in">
        <a class="brand" href="#/">
          Listing video
        </a>
        <nav class="tabs" aria-label="Pages">
          <a href="#/" aria-current={page === 'tasks' ? 'page' : undefined}>
            Tasks
          </a>
          <a href={NEW_VIDEO} aria-current={page === 'new' ? 'page' : undefined}>
            New video
          </a>
          <a href="docs">API reference</a>
        </nav>
        <div class="account">
          {balance.value !== null && (
            <span class="balance">Balance: {countWords(balance.value, 'credit')}</span>
          )}
          {key.value !== null && (
            <button class="quiet" type="button" onClick={leave}>
              Forget key
            </button>
          )}
        </div>
      </div>
    </header>
  );
}

function leave(): void {
  forgetKey();
  forgetSent();
  location.hash = '#/';
  location.reload();
}

function Shown({ view: shown }: { readonly view: View }) {
  if (shown.page === 'new') return <NewVideo />;
  if (shown.page === 'task') return <TaskPage id={shown.id} />;
  return <TaskList {...shown} />;
}

/** Follows the address. A new view begins at its heading, as a new page would; a filter keeps the focus. */
function useNavigation(main: { readonly current: HTMLElement | null }): void {
  const came = useRef<'opened' | 'by filter' | 'by link'>('opened');
  // Not a frame later: a link can be used as soon as it is drawn.
  useLayoutEffect(() => {
    const follow = () => {
      const isFilter = document.activeElement?.closest('.filter') instanceof Element;
      came.current = isFilter ? 'by filter' : 'by link';
      address.value = location.hash;
    };
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  useLayoutEffect(() => {
    // The browser decides where the focus is on a page that has just opened.
    if (came.current === 'opened') return;
    const filter =
      came.current === 'by filter'
        ? main.current?.querySelector<HTMLElement>('.filter [aria-current]')
        : null;
    if (filter) return filter.focus();
    scrollTo(0, 0);
    main.current?.querySelector('h1')?.focus({ preventScroll: true });
  }, [address.value]);
}
