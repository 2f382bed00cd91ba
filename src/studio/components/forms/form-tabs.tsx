/** Forms as tabs, and the way from a field's path to the input that changes it. */
import { signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { toPath, toPointer } from '../../document/json.ts';
import type { ListingPath } from '../../editor/protocol.ts';
import { afterRender } from '../after-render.ts';
import { showField, view, violationsOf } from '../listing.ts';
import { openPhoto } from '../photos/photo-view.ts';
import { TabBar, type TabMark } from '../tab-bar.tsx';
import { type Form, isOfPhotos } from './form.ts';
import { formScroll, scrollForm } from './form-scroll.ts';

/** Null: the first. */
const openTab = signal<string | null>(null);
/** How far down each form was when another was opened, px. */
const scrolled = new Map<string, number>();

interface FormTabsProps {
  readonly forms: readonly Form[];
}

/** The tabs, and the form of the one that is open. The others keep no state: what is typed is in the listing. */
export function FormTabs({ forms }: FormTabsProps) {
  const section = useRef<HTMLElement>(null);
  const form = forms.find(({ id }) => id === openTab.value) ?? forms[0]!;
  const tabs = forms.map((each) => ({ id: each.id, title: each.title, mark: markOf(each, forms) }));
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    if (!isFirst.current && section.current !== null) scrollForm(section.current, scrolled.get(form.id) ?? 0);
    isFirst.current = false;
  }, [form.id]);
  return (
    <section
      class="forms"
      id="forms"
      aria-labelledby="forms-title"
      tabIndex={-1}
      ref={section}
      data-form={form.id}
      onFocusIn={({ target }) => {
        const [pointer] = (target as HTMLElement).dataset.path?.split(' ') ?? [];
        if (pointer !== undefined) showField(toPath(pointer));
      }}
    >
      <h2 class="spoken" id="forms-title">
        Details
      </h2>
      <TabBar name="form" label="Parts of the listing" tabs={tabs} open={form.id} onOpen={openForm} />
      <div class="form" role="tabpanel" id="form-panel" aria-labelledby={`form-${form.id}`}>
        <form.View />
      </div>
    </section>
  );
}

function openForm(id: string): void {
  const section = document.getElementById('forms');
  if (section !== null) scrolled.set(section.dataset.form ?? '', formScroll(section));
  openTab.value = id;
}

/** What is to correct in a form; where that is nothing, what is good to know. */
function markOf(form: Form, forms: readonly Form[]): TabMark | undefined {
  const count = (findings: readonly { readonly path: ListingPath | null }[]) =>
    findings.filter(({ path }) => path !== null && formOf(path, forms) === form).length;
  const faults = count(violationsOf([], true));
  if (faults > 0) return { kind: 'violation', count: faults, words: 'to correct' };
  const notes = count(view.value?.warnings ?? []);
  return notes === 0 ? undefined : { kind: 'warning', count: notes, words: notes === 1 ? 'note' : 'notes' };
}

/** The later forms have the narrower fields. */
function formOf(path: ListingPath, forms: readonly Form[]): Form | undefined {
  return forms.findLast(({ has }) => has(path));
}

/** Whether {@link jumpTo} leads anywhere. */
export function hasField(path: ListingPath, forms: readonly Form[]): boolean {
  return isOfPhotos(path) || formOf(path, forms) !== undefined;
}

/** Opens the form of a field, or the photo that has it, and focuses its input. */
export function jumpTo(path: ListingPath, forms: readonly Form[]): void {
  const form = formOf(path, forms);
  if (form !== undefined) openForm(form.id);
  form?.reveal?.(path);
  if (path[0] === 'assets' && typeof path[1] === 'number') openPhoto(path[1]);
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
