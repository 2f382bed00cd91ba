/**
 * The forms for issues, which GitHub rejects without these parts and says so only on its page; and the unit of systemd.
 */
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { SETTINGS } from '../../src/platform/settings/setting-table.ts';

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

describe('the unit of systemd', async () => {
  const path = fileURLToPath(new URL('../../.github/deploy/listing-video.service', import.meta.url));
  const unit = await readFile(path, 'utf8');

  it('has each setting once, except those that add up', () => {
    const names = [...unit.matchAll(/^(\w+)=/gm)].map(([, name]) => name);
    const lists = ['Environment', 'SystemCallFilter'];
    const twice = names.filter((name, at) => names.indexOf(name) !== at && !lists.includes(name!));
    expect(twice).toEqual([]);
  });

  it('lets V8 compile, sets the data folder with a variable of ours, and keeps the rest of the system out', () => {
    expect(unit).not.toMatch(/^MemoryDenyWriteExecute=yes/m);
    expect(unit).toContain(`Environment=${SETTINGS.home.env}=/var/lib/listing-video\n`);
    expect(unit).toContain(`Environment=${SETTINGS.out.env}=/var/lib/listing-video/videos\n`);
    for (const line of [
      'ProtectSystem=strict',
      'NoNewPrivileges=yes',
      'OOMPolicy=continue',
      'StateDirectory=listing-video',
    ]) {
      expect(unit).toMatch(new RegExp(`^${line}$`, 'm'));
    }
  });
});
