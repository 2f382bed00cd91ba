/** A color, as text and with the browser's picker. */
import { Field } from '../field.tsx';
import { faultsOf, warningsOf } from '../forms/findings.ts';
import { toText } from '../forms/listing-edits.ts';
import type { Target } from '../forms/target.ts';
import { ifEmpty } from '../words.ts';
import { TextInput } from './text-field.tsx';

interface ColorFieldProps {
  readonly label: string;
  readonly target: Target;
  readonly hint?: string | undefined;
  /** The template's own. */
  readonly preset: string;
}

export function ColorField({ label, target, hint, preset }: ColorFieldProps) {
  const text = toText(target.value);
  const color = toHex(text);
  const odd = text !== '' && color === null ? ['Enter a color such as #1F5C4D.'] : [];
  return (
    <Field
      id={target.id}
      label={label}
      hint={hint}
      faults={[...faultsOf(target.paths), ...odd]}
      warnings={odd.length > 0 ? [] : warningsOf(target.paths)}
      input={(attributes) => (
        <span class="color-input">
          <input
            type="color"
            aria-label={`${label}, picker`}
            value={color ?? toHex(preset) ?? '#000000'}
            onInput={({ currentTarget }) => target.put(currentTarget.value.toUpperCase(), { isTyping: true })}
          />
          <TextInput attributes={attributes} target={target} placeholder={ifEmpty(preset)} />
        </span>
      )}
    />
  );
}

/** `#aabbcc` for what the template accepts as a color. */
function toHex(text: string): string | null {
  const hex = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text.trim())?.[1];
  if (hex === undefined) return null;
  return `#${hex.length === 6 ? hex : [...hex].map((digit) => digit + digit).join('')}`.toLowerCase();
}
