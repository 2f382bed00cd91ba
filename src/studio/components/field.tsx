/** A labelled field with its hint and its faults, which screen readers hear with the field. */
import type { ComponentChildren, VNode } from 'preact';

interface FieldProps {
  /** Of the input inside, which gets it as `id`. Unique on the page. */
  readonly id: string;
  readonly label: string;
  readonly hint?: ComponentChildren | undefined;
  /** Why the value is refused, in words. */
  readonly faults?: readonly string[];
  /** What is good to know, such as a caption with no place in one ratio. */
  readonly warnings?: readonly string[];
  /** Draws the input with the attributes that join it to label and faults. */
  readonly input: (attributes: FieldAttributes) => VNode;
}

export interface FieldAttributes {
  readonly id: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: boolean;
}

export function Field({ id, label, hint, faults = [], warnings = [], input }: FieldProps) {
  const notes = [...faults, ...warnings];
  const described = [hint !== undefined && `${id}-hint`, notes.length > 0 && `${id}-notes`].filter(Boolean);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {input({
        id,
        ...(described.length > 0 ? { 'aria-describedby': described.join(' ') } : {}),
        ...(faults.length > 0 ? { 'aria-invalid': true } : {}),
      })}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {notes.length > 0 && (
        <div id={`${id}-notes`}>
          <Notes faults={faults} warnings={warnings} />
        </div>
      )}
    </div>
  );
}

/** What is wrong, then what is good to know. */
export function Notes({ faults = [], warnings = [] }: Pick<FieldProps, 'faults' | 'warnings'>) {
  return (
    <>
      {faults.map((fault) => (
        <p class="fault" key={fault}>
          {fault}
        </p>
      ))}
      {warnings.map((warning) => (
        <p class="caution" key={warning}>
          {warning}
        </p>
      ))}
    </>
  );
}
