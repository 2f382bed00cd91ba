/**
 * An image of the listing, such as a portrait or a logo: its preview, its problem, its address, and the way to another
 * one.
 */

import type { FilePurpose } from '../../editor/protocol.ts';
import { Field } from '../field.tsx';
import { faultsOf, warningsOf } from '../forms/findings.ts';
import type { Target } from '../forms/target.ts';
import { view } from '../listing.ts';
import { Picture } from '../photos/pictures.tsx';
import { reasonWords } from '../words.ts';
import { FileDrop } from './file-drop.tsx';
import { TextInput } from './text-field.tsx';

interface ImageFieldProps {
  readonly label: string;
  readonly target: Target;
  readonly hint?: string | undefined;
  readonly purpose: FilePurpose;
}

export function ImageField({ label, target, hint, purpose }: ImageFieldProps) {
  const { value } = target;
  const isSet = value !== undefined && value !== null;
  const problem = view.value!.images.find(({ url }) => url === value)?.problem ?? null;
  return (
    <Field
      id={target.id}
      label={label}
      hint={hint}
      faults={[...faultsOf(target.paths), ...(problem === null ? [] : [reasonWords(problem)])]}
      warnings={problem === null ? warningsOf(target.paths) : []}
      input={(attributes) => (
        <FileDrop
          purpose={purpose}
          accept="image/*,.heic,.heif,.avif"
          label={isSet ? 'Replace' : 'Choose a file'}
          of={label}
          onAdded={(url) => target.put(url)}
          action={
            isSet && (
              <button
                type="button"
                class="quiet"
                aria-label={`Remove ${label}`}
                onClick={() => {
                  target.put(undefined);
                  document.getElementById(target.id)?.focus();
                }}
              >
                Remove
              </button>
            )
          }
        >
          <span class="image-preview" data-kind={purpose}>
            <Preview url={value} />
          </span>
          <TextInput
            attributes={attributes}
            target={target}
            inputMode="url"
            placeholder="Drop an image here"
          />
        </FileDrop>
      )}
    />
  );
}

/** The thumbnail of a portrait or logo. */
export function Preview({ url }: { readonly url: unknown }) {
  const image = view.value!.images.find((each) => each.url === url);
  return typeof url === 'string' ? <Picture url={url} digest={image?.digest ?? null} /> : null;
}
