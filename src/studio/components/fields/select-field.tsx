/** A choice of a few values. A value that is none of them is shown as it is. */
import { Field } from '../field.tsx';
import { faultsOf, warningsOf } from '../forms/findings.ts';
import { toText } from '../forms/listing-edits.ts';
import { type Target, toDataPath } from '../forms/target.ts';

interface SelectFieldProps {
  readonly label: string;
  readonly target: Target;
  readonly hint?: string | undefined;
  /** Values and their words. The empty value removes the field. */
  readonly options: readonly (readonly [value: string, words: string])[];
  /** Chosen while there is no value. */
  readonly preset?: string;
  /** Instead of what the rules of the listing say. */
  readonly faults?: readonly string[];
}

export function SelectField({ label, target, hint, options, preset = '', faults }: SelectFieldProps) {
  const value = toText(target.value) || preset;
  const isKnown = options.some(([each]) => each === value);
  return (
    <Field
      id={target.id}
      label={label}
      hint={hint}
      faults={faults ?? faultsOf(target.paths)}
      warnings={warningsOf(target.paths)}
      input={(attributes) => (
        <select
          value={value}
          data-path={toDataPath(target.paths)}
          onChange={({ currentTarget }) => target.put(currentTarget.value || undefined)}
          {...attributes}
        >
          {options.map(([each, words]) => (
            <option key={each} value={each}>
              {words}
            </option>
          ))}
          {!isKnown && <option value={value}>{value.slice(0, 60)}</option>}
        </select>
      )}
    />
  );
}
