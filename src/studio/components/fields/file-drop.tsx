/** A place for one file: dropped in, or chosen with a button. The server copies it next to the listing. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { FilePurpose } from '../../editor/protocol.ts';
import { announce } from '../announce.tsx';
import { FileButton } from '../file-button.tsx';
import { storeFile } from '../listing.ts';
import { rememberFile } from '../photos/pictures.tsx';
import { useFileDrop } from '../use-file-drop.ts';

interface FileDropProps {
  readonly purpose: FilePurpose;
  /** Kinds of file, for the browser's window: `image/*`. */
  readonly accept: string;
  readonly label: string;
  /** What the file is for, for people who hear the button. */
  readonly of: string;
  readonly onAdded: (url: string) => void;
  readonly children?: ComponentChildren;
  /** After the button. */
  readonly action?: ComponentChildren;
}

export function FileDrop({ purpose, accept, label, of, onAdded, children, action }: FileDropProps) {
  const [work, setWork] = useState<{ readonly isBusy: boolean; readonly problem: string | null }>({
    isBusy: false,
    problem: null,
  });
  const add = async ([file]: readonly File[]) => {
    if (file === undefined || work.isBusy) return;
    setWork({ isBusy: true, problem: null });
    const stored = await storeFile(file, purpose);
    const problem = 'url' in stored ? null : `${file.name}: ${stored.problem}`;
    setWork({ isBusy: false, problem });
    if ('url' in stored) {
      rememberFile(stored.url, file);
      onAdded(stored.url);
    }
    announce(problem ?? `${of}: ${file.name} is added.`);
  };
  return (
    <div class="file-drop" {...useFileDrop((files) => void add(files))}>
      {children}
      <FileButton label={`${label}, ${of}`} accept={accept} isBusy={work.isBusy} onFiles={add}>
        {work.isBusy ? 'Adding …' : label}
      </FileButton>
      {action}
      {work.problem !== null && <p class="fault">{work.problem}</p>}
    </div>
  );
}
