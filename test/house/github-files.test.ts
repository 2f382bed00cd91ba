/** The forms for issues: GitHub rejects a form without these parts, and says so only on its page. */
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const FOLDER = fileURLToPath(new URL('../../.github/ISSUE_TEMPLATE/', import.meta.url));
const forms = (await readdir(FOLDER)).filter((file) => file !== 'config.yml');

describe('an issue form', () => {
  it.each(forms)(
    '%s has a name, a description, and fields with labels and ids of their own',
    async (file) => {
      const form = parse(await readFile(FOLDER + file, 'utf8'));
      expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) });
      const fields: { type: string; id: string; attributes: { label: string } }[] = form.body;
      expect(fields.length).toBeGreaterThan(0);
      for (const { type, attributes } of fields) {
        expect(['input', 'textarea', 'dropdown', 'checkboxes']).toContain(type);
        expect(attributes.label).toEqual(expect.any(String));
      }
      expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length);
    },
  );
});
