/** Which pictures a template's image layers ask for. Pure. */
import type { Template } from '../../template/template.ts';

/** Addresses by layer, of the layers of the template that `template_data` fills. */
export function imageLayers(
  { dataLayers }: Pick<Template, 'dataLayers'>,
  data: Readonly<Record<string, string>>,
): Map<string, string> {
  const filled = dataLayers.flatMap(({ name, type }): [string, string][] => {
    const url = type === 'image' && Object.hasOwn(data, name) ? data[name]! : '';
    return url.trim() === '' ? [] : [[name, url]];
  });
  return new Map(filled);
}
