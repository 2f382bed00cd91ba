/**
 * A list of small records of an agent, such as phones: a row for each, a button that removes it, and one that adds
 * another.
 */

import type { VNode } from 'preact';
import { isObject } from '../../document/json.ts';
import type { ListingPath } from '../../editor/protocol.ts';
import { afterRender } from '../after-render.ts';
import { announce } from '../announce.tsx';
import { Notes } from '../field.tsx';
import { addItem, removeItem } from '../forms/agent-edits.ts';
import { faultsOf } from '../forms/findings.ts';
import { toElementId } from '../forms/target.ts';
import { beginField } from '../fresh-field.ts';
import { Icon } from '../icon.tsx';
import { IconButton } from '../icon-button.tsx';
import { edit, listingValue, view } from '../listing.ts';
import { RawNote } from './raw-note.tsx';

interface ItemListProps {
  readonly path: ListingPath;
  /** `Phones`, `phone`. */
  readonly title: string;
  readonly noun: string;
  /** Of the first field of an item, which gets the focus when it is new. */
  readonly field: string;
  readonly hint?: string;
  /** What a new item has. */
  readonly preset?: object;
  readonly draw: (path: ListingPath, number: number) => VNode;
}

export function ItemList({ path, title, noun, field, hint, preset = {}, draw }: ItemListProps) {
  const list = listingValue(path) ?? [];
  const id = toElementId(path);
  if (!Array.isArray(list)) return <RawNote title={title} path={path} />;
  const focus = (target: string) => {
    afterRender(() => document.getElementById(target)?.focus());
  };
  const add = () => {
    beginField([...path, list.length, field]);
    edit(`Add ${noun}`, addItem(view.value!.listing, path, preset));
    focus(toElementId([...path, list.length, field]));
  };
  const remove = (index: number) => {
    edit(`Remove ${noun}`, removeItem([...path, index]));
    announce(`${title}: one is removed. Undo brings it back.`);
    focus(list.length === 1 ? `${id}-add` : toElementId([...path, Math.max(0, index - 1), field]));
  };
  return (
    <fieldset class="items">
      <legend>{title}</legend>
      <Notes faults={faultsOf([path])} />
      {list.length > 0 && (
        <ol>
          {list.map((item, index) => (
            <li key={index}>
              {isObject(item) ? (
                draw([...path, index], index + 1)
              ) : (
                <RawNote title={`${noun} ${index + 1}`} path={[...path, index]} />
              )}
              <IconButton icon="out" label={`Remove ${noun} ${index + 1}`} onClick={() => remove(index)} />
            </li>
          ))}
        </ol>
      )}
      {hint !== undefined && list.length > 1 && <p class="hint">{hint}</p>}
      <button type="button" class="quiet add" id={`${id}-add`} onClick={add}>
        <Icon name="add" /> Add {noun}
      </button>
    </fieldset>
  );
}
