/** A line of text with its label, and what the rules say about it. */
import { useState } from 'preact/hooks';
import { countWords } from '../../../listing/words/count-words.ts';
import { explainNumber } from '../../document/explain-number.ts';
import { Field, type FieldAttributes } from '../field.tsx';
import { faultsOf, warningsOf } from '../forms/findings.ts';
import { TEXT, type TextForm } from '../forms/read-values.ts';
import { type Target, toDataPath } from '../forms/target.ts';
import { endField } from '../fresh-field.ts';
import { counterWords } from '../words.ts';

export interface TextFieldProps {
  readonly label: string;
  readonly target: Target;
  readonly form?: TextForm;
  readonly placeholder?: string | undefined;
  readonly hint?: string | undefined;
  /** Good to know about this value, beside the warnings of the server. */
  readonly note?: string | null;
  readonly maxLength?: number | null;
  readonly inputMode?: 'numeric' | 'decimal' | 'tel' | 'email' | 'url';
  /** Replaces the text when the person leaves the field: `Oregon` by `OR`. */
  readonly tidy?: (text: string) => string;
}

export function TextField({ label, hint, note = null, ...props }: TextFieldProps) {
  const { target, form = TEXT, maxLength = null } = props;
  const { value } = target;
  const [path = []] = target.paths;
  const own =
    value === undefined || value === null ? null : (form.explain?.(value) ?? explainNumber(path, value));
  const over = maxLength === null || typeof value !== 'string' ? 0 : [...value].length - maxLength;
  const faults = own === null ? faultsOf(target.paths) : [own];
  const warnings = warningsOf(target.paths);
  const counter = over > 0 || typeof value !== 'string' ? null : counterWords(value, maxLength);
  const hints = [hint, counter].filter((words) => words !== undefined && words !== null);
  return (
    <Field
      id={target.id}
      label={label}
      hint={hints.length === 0 ? undefined : hints.join(' ')}
      faults={
        over > 0
          ? [...faults, `${countWords(over, 'more character')} than the template has room for.`]
          : faults
      }
      warnings={note === null ? warnings : [...warnings, note]}
      input={(attributes) => <TextInput attributes={attributes} {...props} />}
    />
  );
}

interface TextInputProps extends Omit<TextFieldProps, 'label' | 'hint' | 'note' | 'maxLength'> {
  readonly attributes: FieldAttributes & { readonly list?: string; readonly maxLength?: number };
  readonly class?: string;
}

/**
 * The input alone. While it has the focus it keeps what was typed, such as the comma in `2,840`, as long as that means
 * the value of the listing; a change from elsewhere replaces it.
 */
export function TextInput({ attributes, target, form = TEXT, tidy, ...rest }: TextInputProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const isCurrent = draft !== null && form.read(draft) === (target.value ?? undefined);
  const onInput = (event: { readonly currentTarget: HTMLInputElement }) => {
    setDraft(event.currentTarget.value);
    endField();
    target.put(form.read(event.currentTarget.value), { isTyping: true });
  };
  const onBlur = () => {
    setDraft(null);
    endField();
    const text = form.show(target.value);
    if (tidy !== undefined && tidy(text) !== text) target.put(form.read(tidy(text)), { isTyping: true });
  };
  return (
    <input
      type="text"
      dir="auto"
      autocomplete="off"
      spellcheck={rest.inputMode === undefined}
      value={isCurrent ? draft : form.show(target.value)}
      data-path={toDataPath(target.paths)}
      class={rest.class}
      placeholder={rest.placeholder}
      inputMode={rest.inputMode}
      onInput={onInput}
      onBlur={onBlur}
      {...attributes}
    />
  );
}
