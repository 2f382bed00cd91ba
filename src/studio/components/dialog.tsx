/** A modal dialog, named by its heading. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface DialogProps {
  readonly id: string;
  readonly title: string;
  readonly isOpen: boolean;
  /** Called when the person closes it. Absent: it stays until it is answered. */
  readonly onClose?: () => void;
  readonly children: ComponentChildren;
}

export function Dialog({ id, title, isOpen, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-words`}
      onCancel={(event) => {
        if (onClose === undefined) event.preventDefault();
      }}
      onClose={() => {
        if (isOpen) onClose?.();
      }}
    >
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
    </dialog>
  );
}
