/** A file input that looks like a button: browsers draw theirs with the name of the last file, which says nothing here. */

interface FileButtonProps {
  readonly id: string;
  readonly label: string;
  /** What the browser offers to choose. */
  readonly accept: string;
  readonly isMultiple?: boolean;
  readonly isQuiet?: boolean;
  readonly describedBy?: string;
  readonly onFiles: (files: readonly File[]) => void;
}

export function FileButton({
  id,
  label,
  accept,
  isMultiple,
  isQuiet,
  describedBy,
  onFiles,
}: FileButtonProps) {
  return (
    <span class="file-button">
      <input
        type="file"
        id={id}
        class="spoken"
        accept={accept}
        multiple={isMultiple}
        aria-describedby={describedBy}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          // Allows to choose the same file again, after a fix.
          currentTarget.value = '';
        }}
      />
      <label class={isQuiet ? 'button quiet' : 'button'} for={id}>
        {label}
      </label>
    </span>
  );
}
