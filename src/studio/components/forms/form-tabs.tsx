/** The forms on the right, as tabs, and the way from a field's path to the input that changes it. */
import { signal } from '@preact/signals';
import { afterRender } from '../after-render.ts';
import { TabBar, type TabMark } from '../tab-bar.tsx';
import type { ListingPath } from '../../editor/protocol.ts';
import { toPointer } from '../../page/apply-patch.ts';
import { FORMS } from '../../page/forms/forms.ts';
import { state, violationsOf } from '../../page/state.ts';

const openTab = signal(FORMS[0]?.id ?? '');

/** The tabs, and the form of the one that is open. The others keep no state: what is typed is in the listing. */
export function FormTabs() {
  const form = FORMS.find(({ id }) => id === openTab.value);
  const tabs = FORMS.map(({ id, title, has }) => ({
    id,
    title,
    mark: markOf(has),
  }));
  return (
    <section class="forms" id="forms" aria-label="Details" tabIndex={-1}>
      <TabBar name="form" label="Parts of the listing" tabs={tabs} open={openTab.value} onOpen={openForm} />
      {form !== undefined && (
        <div class="form" role="tabpanel" id="form-panel" aria-labelledby={`form-${form.id}`}>
          <form.View />
        </div>
      )}
    </section>
  );
}

/** What is to correct in a form; where that is nothing, what is good to know. */
function markOf(has: (path: ListingPath) => boolean): TabMark | undefined {
  const faults = violationsOf([], true).filter(({ path }) => has(path)).length;
  if (faults > 0) return { kind: 'violation', count: faults, words: 'to correct' };
  const notes = (state.value?.warnings ?? []).filter(({ path }) => path !== null && has(path)).length;
  return notes === 0 ? undefined : { kind: 'warning', count: notes, words: notes === 1 ? 'note' : 'notes' };
}

function openForm(id: string): void {
  openTab.value = id;
}

/** Opens the form of a field and focuses its input. The photos panel has its fields on the page at all times. */
export function jumpTo(path: ListingPath): void {
  const form = FORMS.find(({ has }) => has(path));
  if (form !== undefined) openTab.value = form.id;
  form?.reveal?.(path);
  afterRender(() => {
    for (let length = path.length; length > 0; length--) {
      const pointer = toPointer(path.slice(0, length));
      const field = document.querySelector<HTMLElement>(`[data-path~="${CSS.escape(pointer)}"]`);
      if (field === null) continue;
      const closed = field.closest('details');
      if (closed !== null) closed.open = true;
      field.focus();
      field.scrollIntoView({ block: 'center' });
      return;
    }
  });
}
