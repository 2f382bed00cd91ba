/** The whole page: head, photos, stage, forms, and the line that screen readers hear. */
import { announcement } from './announce.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import { FormTabs } from '../components/forms/form-tabs.tsx';
import { Head } from './head.tsx';
import { Notes } from './notes.tsx';
import { PhotosPanel } from './photos/photos-panel.tsx';
import { Problems } from './problems.tsx';
import { RenderPanel } from './render-panel.tsx';
import { Stage } from './stage/stage.tsx';
import { connection, state } from './state.ts';

export function App() {
  return (
    <>
      {state.value === null ? <Waiting /> : <Studio />}
      <Spoken />
    </>
  );
}

function Studio() {
  return (
    <>
      <a class="skip" href="#stage">
        Skip to the video
      </a>
      <a class="skip" href="#forms">
        Skip to the listing
      </a>
      <Head />
      <main class="studio">
        <PhotosPanel />
        <div class="middle">
          <Notes />
          <Stage />
          <Problems />
          <RenderPanel />
        </div>
        <FormTabs />
      </main>
      <ConflictDialog />
    </>
  );
}

function Waiting() {
  return (
    <main class="waiting">
      <p class="brand">Listing video</p>
      <p>
        {connection.value === 'lost'
          ? 'The studio does not answer. Open the address that its command prints.'
          : 'Opening the listing …'}
      </p>
    </main>
  );
}

/** Two equal lines after each other are two texts, so both are spoken. */
function Spoken() {
  const { text, count } = announcement.value;
  return (
    <div class="spoken" role="status" aria-live="polite">
      <span key={count}>{text}</span>
    </div>
  );
}
