/** The field of a data layer, made from the template's declaration of it. */
import type { StudioDataLayer } from '../../editor/protocol.ts';
import { sentence } from '../words.ts';
import { dataPath, dataTarget } from '../forms/agent-data.ts';
import { ColorField } from './color-field.tsx';
import { ImageField } from './image-field.tsx';
import { SelectField } from './select-field.tsx';
import { SharedField } from './shared-field.tsx';
import type { Target } from '../forms/target.ts';
import { TextField, type TextFieldProps } from './text-field.tsx';

export interface DataFieldProps extends Pick<TextFieldProps, 'inputMode' | 'placeholder' | 'form'> {
  readonly hint?: string | undefined;
  readonly layer: StudioDataLayer;
  readonly places: readonly number[];
  /** Instead of the layer's own label. */
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
  const { value } = target;
  const shown = placeholder ?? layer.default;
  const said = typeof value === 'string' ? (noteOf?.(value) ?? null) : null;
  const words = [hint, said, note]
    .filter(Boolean)
    .map((text) => sentence(text!))
    .join(' ');
  const props = { label, target, ...(words === '' ? {} : { hint: words }) };
  switch (layer.type) {
    case 'color':
      return <ColorField {...props} preset={layer.default} />;
    case 'image':
      return <ImageField {...props} purpose="logo" />;
    case 'boolean':
    case 'choice':
      return <ChoiceField {...props} layer={layer} />;
    default:
      return (
        <TextField
          {...props}
          {...rest}
          placeholder={shown}
          maxLength={layer.max_length}
          {...(layer.type === 'number' ? { inputMode: 'decimal', hint: rangeWords(layer, words) } : {})}
        />
      );
  }
}

function rangeWords({ min, max }: StudioDataLayer, words: string): string {
  const range = min === null || max === null ? 'A number' : `From ${min} to ${max}`;
  return words === '' ? `${range}.` : `${words} ${range}.`;
}

interface ChoiceFieldProps {
  readonly label: string;
  readonly target: Target;
  readonly hint?: string;
  readonly layer: StudioDataLayer;
}

function ChoiceField({ layer, ...field }: ChoiceFieldProps) {
  const options = layer.type === 'boolean' ? ['true', 'false'] : (layer.options ?? []);
  const asDesigned = ['', `As designed: ${optionWords(layer.default)}`] as const;
  const words = options.map((option) => [option, optionWords(option)] as const);
  return <SelectField {...field} options={[asDesigned, ...words]} />;
}

function optionWords(option: string): string {
  return { true: 'yes', false: 'no' }[option] ?? option;
}

interface ResetProps {
  readonly target: Target;
  readonly label: string;
}

function Reset({ target, label }: ResetProps) {
  if (target.value === undefined) return null;
  return (
    <button
      type="button"
      class="quiet reset"
      aria-label={`Reset ${label}`}
      title="Back to what the design says"
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
