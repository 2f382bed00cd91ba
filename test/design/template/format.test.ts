/**
 * One declaration of the format: the published schema follows it, and the shipped templates resolve to the same
 * designs.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadTemplate, TEMPLATE_SCHEMA_FILE } from '../../../src/design/template/load-template.ts';
import { templateSchema } from './template-schema.ts';

describe('the published schema', () => {
  it('is what the format says; if not, run npm run template-schema', () => {
    const published = JSON.parse(readFileSync(TEMPLATE_SCHEMA_FILE, 'utf8'));
    expect(JSON.stringify(published)).toBe(JSON.stringify(templateSchema()));
  });

  it('gives editors a description or default for nearly every field', () => {
    const { $defs } = templateSchema() as { $defs: Record<string, { properties?: Record<string, object> }> };
    const fields = Object.values($defs).flatMap(({ properties = {} }) => Object.values(properties));
    const silent = fields.filter(
      (field) => !('description' in field) && !('default' in field) && !('$ref' in field),
    );
    expect(silent.length / fields.length).toBeLessThan(0.2);
  });
});

/**
 * SHA-256 of the resolved template, keys sorted, without descriptions. A design that changes on purpose changes its
 * line.
 */
const DESIGNS = {
  classic: '8a0c56d479293472',
  modern: '8556ae2787182b03',
  luxury: '564beb93f1372c10',
  social: 'dac95bfe3001bec2',
  unbranded: 'e86ce8e70964160f',
};

it.each(Object.entries(DESIGNS))('resolves %s to the same design', async (id, hash) => {
  const text = JSON.stringify(sorted(await loadTemplate(id)));
  expect(createHash('sha256').update(text).digest('hex').slice(0, 16)).toBe(hash);
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== 'description')
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}
