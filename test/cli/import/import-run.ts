/** Runs `import` in a folder of its own, and reads what it wrote. */
import { cp, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import reportSchema from '../../../src/cli/import/import-report.schema.json' with { type: 'json' };
import type { Listing } from '../../../src/listing/listing.ts';
import { folderOf } from '../listing-files.ts';
import { type AnyJson, type CliRun, type FakeWorld, run } from '../run-cli.ts';

const FIXTURES = fileURLToPath(new URL('fixtures/', import.meta.url));

/** A folder with a fixture in it. */
export async function folderWith(fixture: string): Promise<string> {
  const cwd = await folderOf();
  await cp(path.join(FIXTURES, fixture), path.join(cwd, fixture), { recursive: true });
  return cwd;
}

/** A property that becomes a valid listing, with `facts` in place of its own. */
export function property(facts: object = {}): AnyJson {
  return {
    ListingKey: 'K1',
    ListingId: 'A-1',
    StandardStatus: 'Active',
    UnparsedAddress: '12 Main St',
    City: 'Portland',
    StateOrProvince: 'OR',
    PostalCode: '97205',
    Country: 'US',
    PropertyType: 'Residential',
    ListPrice: 500000,
    ListAgentMlsId: 'ann',
    ListAgentFirstName: 'Ann',
    ListAgentLastName: 'Lee',
    Media: media(5),
    ...facts,
  };
}

/** Photos with these facts, in their order. */
export function media(count: number, facts: object = {}): AnyJson[] {
  return Array.from({ length: count }, (_, index) => ({
    MediaURL: `https://photos.example.com/${index}.jpg`,
    MediaCategory: 'Photo',
    Order: index,
    ...facts,
  }));
}

/** What `import` wrote for a listing. */
export async function readListing(cwd: string, id: string): Promise<Listing & AnyJson> {
  return JSON.parse(await readFile(path.join(cwd, 'listings', id, 'listing.json'), 'utf8'));
}

/** The report of `import reso` with these properties, and the first listing. */
export async function importReso(
  properties: unknown,
  words: readonly string[] = [],
  world: Partial<FakeWorld> = {},
): Promise<{
  result: CliRun;
  report: AnyJson;
  first: AnyJson;
  listing: Listing | null;
  cwd: string;
}> {
  const cwd = await folderOf({ 'property.json': properties });
  const result = await run(['import', 'reso', 'property.json', '--json', ...words], { cwd, ...world });
  const report = result.json();
  // An error before the first record is a document of its own.
  if (report.listings) followsSchema(JSON.parse(result.stdout));
  const [first] = report.listings ?? [];
  const listing = first?.file ? JSON.parse(await readFile(path.join(cwd, first.file), 'utf8')) : null;
  return { result, report, first, listing, cwd };
}

const validate = new Ajv2020({ strict: false }).compile(reportSchema);

/** Fails for a report of `--json` that is not as its schema has it. */
export function followsSchema(report: unknown): void {
  validate(report);
  expect(validate.errors).toBeNull();
}

/** Addresses of photos in one cell. */
export function photoUrls(count: number): string {
  return media(count)
    .map(({ MediaURL }) => MediaURL)
    .join(' ');
}
