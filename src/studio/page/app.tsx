/** The whole page: head, photos, stage, forms, and the line that screen readers hear. */
import { announcement } from './announce.ts';
import { FormTabs } from './form-tabs.tsx';
import { connection, state } from './state.ts';

export function App() {
  return (
    <>
      <main>{state.value === null ? <Waiting /> : <FormTabs />}</main>
      <Spoken />
    </>
  );
}

function Waiting() {
  return <p class="waiting">{connection.value === 'lost' ? 'The studio does not answer.' : 'Opening …'}</p>;
}

function Spoken() {
  const { text, count } = announcement.value;
  return (
    <div class="spoken" role="status" aria-live="polite">
      <span key={count}>{text}</span>
    </div>
  );
}
