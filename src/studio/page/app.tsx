/** The whole page: head, photos, stage, forms, and the line that screen readers hear. */
import { Spoken } from '../components/announce.tsx';
import { FormTabs } from '../components/forms/form-tabs.tsx';
import { isNarrow } from '../components/forms/photos-form.ts';
import { PhotosPanel } from '../components/photos/photos-panel.tsx';
import { Checks } from './checks.tsx';
import { forms } from './forms/forms.ts';
import { Head } from './head.tsx';
import { ConflictDialog, Notices } from './notices.tsx';
import { RenderPanel } from './render-panel.tsx';
import { Stage } from './stage/stage.tsx';
import { isAway, state } from './state.ts';

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
        {!isNarrow.value && <PhotosPanel />}
        <div class="middle">
          <Notices />
          <Stage />
          <Checks />
          <RenderPanel />
        </div>
        <FormTabs forms={forms.value} />
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
        {isAway.value
          ? 'The studio does not answer. Open the address that its command prints.'
          : 'Opening the listing …'}
      </p>
    </main>
  );
}
