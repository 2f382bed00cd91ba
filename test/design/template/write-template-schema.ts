/**
 * Writes templates/template.schema.json from the format that src/design/template declares: `npm run template-schema`.
 */
import { writeFileSync } from 'node:fs';
import { templateSchema } from './template-schema.ts';

const LINE_WIDTH = 160;

/** JSON with everything on one line that fits there, as Biome keeps it. */
function print(value: unknown, indent: string, before: number): string {
  const short = JSON.stringify(value, null, 1)
    .replaceAll(/\n\s*/g, ' ')
    .replaceAll('[ ', '[')
    .replaceAll(' ]', ']');
  if (typeof value !== 'object' || value === null || before + short.length < LINE_WIDTH) return short;
  const inner = `${indent}  `;
  const lines = Array.isArray(value)
    ? value.map((item) => `${inner}${print(item, inner, inner.length)}`)
    : Object.entries(value).map(([key, item]) => {
        const head = `${inner}${JSON.stringify(key)}: `;
        return `${head}${print(item, inner, head.length)}`;
      });
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}

writeFileSync(
  new URL('../../../templates/template.schema.json', import.meta.url),
  `${print(templateSchema(), '', 0)}\n`,
);
