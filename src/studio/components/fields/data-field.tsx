/** The field of a data layer, made from the template's declaration of it. */
import type { StudioDataLayer } from '../../editor/protocol.ts';
import { dataPath, dataTarget } from '../forms/agent-data.ts';
import type { Target } from '../forms/target.ts';
import { ifEmpty, sentence } from '../words.ts';
import { ColorField } from './color-field.tsx';
import { ImageField } from './image-field.tsx';
import { SelectField } from './select-field.tsx';
import { SharedField } from './shared-field.tsx';
import { TextField, type TextFieldProps } from './text-field.tsx';

export interface DataFieldProps extends Pick<TextFieldProps, 'inputMode' | 'placeholder' | 'form'> {
  readonly hint?: string | undefined;
  readonly layer: StudioDataLayer;
  readonly places: readonly number[];
  readonly label?: string;
  /** Good to know about a value. */
  readonly noteOf?: (value: string) => string | null;
  readonly hasReset?: boolean;
}

export function DataField({ layer, places, label = layer.label, hasReset = false, ...rest }: DataFieldProps) {
  const step = `Change ${label.charAt(0).toLowerCase()}${label.slice(1)}`;
  return (
    <SharedField
      label={label}
      places={places}
      pathOf={(place) => dataPath(place, layer.name)}
      targetOf={(of) => dataTarget(step, of, layer.name)}
      draw={(target, title, note, isFirst) => (
        <div class="data-field" data-type={layer.type}>
          <LayerField
            layer={layer}
            target={target}
            label={title}
            note={note}
            {...rest}
            hint={isFirst ? rest.hint : undefined}
          />
          {hasReset && layer.type !== 'image' && <Reset target={target} label={title} />}
        </div>
      )}
    />
  );
}

interface LayerFieldProps extends Omit<DataFieldProps, 'places' | 'hasReset'> {
  readonly target: Target;
  readonly label: string;
  readonly note: string | null;
}

function LayerField({ layer, target, label, note, noteOf, hint, placeholder, ...rest }: LayerFieldProps) {
  const said = typeof target.value === 'string' ? noteOf?.(target.value) : null;
  const range = layer.type === 'number' ? rangeWords(layer) : null;
  const words = [hint, said, note, range].flatMap((text) => (text ? sentence(text) : []));
  const props = { label, target, hint: words.length === 0 ? undefined : words.join(' ') };
  switch (layer.type) {
    case 'color':
      return <ColorField {...props} preset={layer.default} />;
    case 'image':
      return <ImageField {...props} purpose="logo" />;
    case 'boolean':
    case 'choice': {
      const options = layer.options ?? ['true', 'false'];
      const ownChoice = ['', `Template’s choice: ${optionWords(layer.default)}`] as const;
      return (
        <SelectField
          {...props}
          options={[ownChoice, ...options.map((each) => [each, optionWords(each)] as const)]}
        />
      );
    }
    default:
      return (
        <TextField
          {...props}
          {...rest}
          {...(range === null ? {} : { inputMode: 'decimal' })}
          placeholder={placeholder ?? ifEmpty(layer.default)}
          maxLength={layer.max_length}
        />
      );
  }
}

function rangeWords({ min, max }: StudioDataLayer): string {
  return min === null || max === null ? 'A number' : `From ${min} to ${max}`;
}

function optionWords(option: string): string {
  return { true: 'yes', false: 'no' }[option] ?? option;
}

function Reset({ target, label }: { readonly target: Target; readonly label: string }) {
  if (target.value === undefined) return null;
  return (
    <button
      type="button"
      class="quiet reset"
      aria-label={`Reset ${label}`}
      title="Back to what the template says"
      onClick={() => {
        target.put(undefined);
        // The button is gone then.
        document.getElementById(target.id)?.focus();
      }}
    >
      Reset
    </button>
  );
}
