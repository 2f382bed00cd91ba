/**
 * A button that opens the browser's window for files: its own button shows the name of the last file, which says
 * nothing here.
 */
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';

interface FileButtonProps {
  readonly id?: string;
  /** For people who hear the button. */
  readonly label: string;
  /** What the browser offers to choose. The server looks at the bytes. */
  readonly accept: string;
  readonly isMultiple?: boolean;
  readonly isQuiet?: boolean;
  readonly isBusy?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
  readonly children: ComponentChildren;
}

export function FileButton({
  id,
  label,
  accept,
  isMultiple,
  isQuiet,
  isBusy,
  onFiles,
  children,
}: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        id={id}
        class={isQuiet ? 'quiet' : undefined}
        aria-label={label}
        aria-disabled={isBusy ? true : undefined}
        onClick={() => {
          if (!isBusy) input.current?.click();
        }}
      >
        {children}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        multiple={isMultiple}
        accept={accept}
        aria-label={label}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          // The same file can be chosen again, after a fix.
          currentTarget.value = '';
        }}
      />
    </>
  );
}
