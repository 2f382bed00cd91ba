/** A template as the server offers it to clients. Types only. */
import type { Template } from '../design/template/template.ts';

export interface OfferedTemplate
  extends Pick<Template, 'id' | 'name' | 'description' | 'branding' | 'dataLayers'> {
  readonly ratios: readonly string[];
  /** Null for a template without a sheet. */
  readonly sheet: TemplateSheet | null;
}

/** A JPEG with stills of all scenes. */
export interface TemplateSheet {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Of the bytes, safe in a URL. Nobody can guess it without the picture. */
  readonly digest: string;
}
