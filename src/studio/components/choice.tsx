/** A labeled choice of a few values that are no part of the listing. */

interface ChoiceProps<Value extends string> {
  readonly id: string;
  readonly label: string;
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, words: string])[];
  readonly onChange: (value: Value) => void;
}

export function Choice<Value extends string>({ id, label, value, options, onChange }: ChoiceProps<Value>) {
  return (
    <>
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value as Value)}>
        {options.map(([each, words]) => (
          <option key={each} value={each}>
            {words}
          </option>
        ))}
      </select>
    </>
  );
}
