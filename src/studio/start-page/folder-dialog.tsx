/** Chooses the folder of the photos, below the home folder of the user. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { countWords } from '../../listing/words/count-words.ts';
import { Dialog } from '../components/dialog.tsx';
import { FileButton } from '../components/file-button.tsx';
import type { FolderEntry, FolderView } from '../start/protocol.ts';
import { get } from './api.ts';
import { open, withStreet } from './state.ts';

interface FolderDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onFiles: (files: readonly File[]) => void;
}

export function FolderDialog({ isOpen, onClose, onFiles }: FolderDialogProps) {
  const [view, setView] = useState<FolderView | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const go = async (at: string): Promise<void> => {
    const answer = await get<FolderView>(`folders?${new URLSearchParams({ at })}`);
    setProblem('problem' in answer ? answer.problem : null);
    if (!('value' in answer)) return;
    setView(answer.value);
    list.current?.focus();
  };
  useEffect(() => {
    if (isOpen) void go(view?.at ?? '');
  }, [isOpen]);
  const canOpen = view !== null && (view.photos > 0 || view.has_listing);
  return (
    <Dialog id="folder" title="Where are the photos?" isOpen={isOpen} onClose={onClose}>
      <nav class="crumbs" aria-label="Folder" id="folder-words">
        {stepsOf(view?.at ?? '').map(({ name, at }, index, { length }) => (
          <span key={at}>
            {index > 0 && '/'}
            <button
              type="button"
              class="quiet"
              aria-current={index === length - 1 ? 'location' : undefined}
              onClick={() => void go(at)}
            >
              {name}
            </button>
          </span>
        ))}
      </nav>
      {problem !== null && <p class="fault">{problem}</p>}
      <section class="folders" ref={list} tabIndex={-1} aria-label="Folders">
        {view !== null && view.folders.length === 0 && <p class="soft">No folders here.</p>}
        <ul>
          {view?.folders.map((folder) => (
            <li key={folder.name}>
              <button type="button" onClick={() => void go(join(view.at, folder.name))}>
                <span>{folder.name}</span>
                <span class="soft">{wordsOf(folder)}</span>
              </button>
            </li>
          ))}
        </ul>
        {view !== null && view.more > 0 && <p class="soft">And {countWords(view.more, 'more folder')}.</p>}
      </section>
      <p class="actions">
        <button
          type="button"
          class="primary"
          aria-disabled={!canOpen}
          onClick={() => {
            if (!canOpen) return;
            onClose();
            void open({ folder: view.at, ...withStreet() }, 'Opening the listing …');
          }}
        >
          {wordsToUse(view)}
        </button>
        <FileButton
          label="Choose single photos…"
          accept="image/*,.heic,.heif,.avif,.tif,.tiff"
          isMultiple
          onFiles={(files) => {
            onClose();
            onFiles(files);
          }}
        >
          Choose single photos…
        </FileButton>
        <button type="button" class="quiet" onClick={onClose}>
          Cancel
        </button>
      </p>
    </Dialog>
  );
}

function wordsToUse(view: FolderView | null): string {
  if (view?.has_listing) return 'Open this listing';
  return view === null || view.photos === 0 ? 'Use the photos' : `Use ${countWords(view.photos, 'photo')}`;
}

/** The home folder and those on the way to `at`. */
function stepsOf(at: string): readonly { readonly name: string; readonly at: string }[] {
  const names = at === '' ? [] : at.split('/');
  return [
    { name: 'Home', at: '' },
    ...names.map((name, index) => ({ name, at: names.slice(0, index + 1).join('/') })),
  ];
}

function join(at: string, name: string): string {
  return at === '' ? name : `${at}/${name}`;
}

function wordsOf({ photos, has_listing }: FolderEntry): string {
  if (has_listing) return 'Listing';
  return photos === 0 ? '' : countWords(photos, 'photo');
}
