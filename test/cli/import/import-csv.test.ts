/** `import csv`: columns, photos by a pattern, encodings, and hostile rows. */
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../listing-files.ts';
import { type CliRun, run } from '../run-cli.ts';
import { folderWith, followsSchema, photoUrls, readListing } from './import-run.ts';

const URLS = photoUrls(5);
const HEADER = 'MLS #,Address,Agent,Photos';

async function importCsv(
  csv: string | Uint8Array,
  words: readonly string[] = [],
  files: Readonly<Record<string, unknown>> = {},
): Promise<CliRun & { cwd: string }> {
  const cwd = await folderOf({ 'listings.csv': csv, ...files });
  return { ...(await run(['import', 'csv', 'listings.csv', '--json', ...words], { cwd })), cwd };
}

/** Photos of a folder, which nothing reads. */
const photosIn = (
  folder: string,
  names: readonly string[] = ['1.jpg', '2.jpg', '3.jpg', '4.jpg', '10.JPG'],
) => Object.fromEntries(names.map((name) => [`${folder}/${name}`, 'photo']));

describe('import csv', () => {
  it('knows the names of a Matrix export', async () => {
    const cwd = await folderWith('matrix.csv');
    const { exitCode, json, stdout } = await run(['import', 'csv', 'matrix.csv', '--json'], { cwd });
    expect(exitCode).toBe(0);
    followsSchema(JSON.parse(stdout));
    expect(await readListing(cwd, 'M-5512')).toMatchObject({
      address: { street: '612 W Cypress Avenue', city: 'Tampa', state: 'FL', postal_code: '33606' },
      bedrooms: 3,
      bathrooms: 2,
      half_bathrooms: 1,
      interior_square_footage: 1804,
      assets: [1, 2, 3, 4, 5].map((number) => ({ url: `https://photos.example.com/m/${number}.jpg` })),
      agents: [
        {
          id: '261500',
          first_name: 'Renée',
          last_name: 'Ortiz',
          phones: [{ number: '813-555-0150', type: 'direct' }],
          licenses: [{ number: 'SL3344556', state: 'FL' }],
          offices: [{ name: 'Gulf & Palm' }],
          video_options: { template_data: { price: '415000', status: 'For sale' } },
        },
      ],
    });
    const report = json();
    expect(report).toMatchObject({
      listings: [{ source: 'matrix.csv:2', from: { bedrooms: 'BedroomsTotal (column "Beds Total")' } }],
      columns: { ListingId: 'MLS #', BathroomsFull: 'Baths Full' },
      unused_columns: ['Showing Instructions'],
    });
    expect(report.listings[0].notes).not.toContainEqual(expect.stringContaining('LivingAreaUnits'));
  });

  it.each([
    ['commas', `${HEADER}\nA-1,12 Main St,Ann Lee,${URLS}\n`],
    ['semicolons and CRLF', `MLS #;Address;Agent;Photos\r\n\r\nA-1;12 Main St;Ann Lee;${URLS}\r\n`],
    ['tabs and a byte order mark', `\ufeffMLS #\tAddress\tAgent\tPhotos\nA-1\t12 Main St\tAnn Lee\t${URLS}`],
    [
      'the separator line of Excel',
      `sep=;\r\nMLS #;Address;Agent;Photos\r\nA-1;12 Main St;Ann Lee;${URLS}\r\n`,
    ],
    [
      'quotes, line breaks and doubled quotes',
      `"MLS #","Address","Agent","Photos"\n"A-1","12 Main St","Ann Lee","${URLS.replaceAll(' ', '\n')}"`,
    ],
    [
      'line ends of several systems in one file',
      `${HEADER}\r\nA-0,11 Main St,Ann Lee,${URLS}\nA-1,12 Main St,Ann Lee,${URLS}\r\nA-2,13 Main St,Ann Lee,${URLS}\r`,
    ],
    [
      'UTF-16 without a byte order mark',
      Buffer.from(`${HEADER}\r\nA-1,12 Main St,Ann Lee,${URLS}\r\n`, 'utf16le').swap16(),
    ],
    [
      'UTF-16, as Excel saves Unicode Text',
      Buffer.from(`\ufeffMLS #\tAddress\tAgent\tPhotos\r\nA-1\t12 Main St\tAnn Lee\t${URLS}\r\n`, 'utf16le'),
    ],
  ])('reads %s', async (_, csv) => {
    const { exitCode, cwd } = await importCsv(csv);
    expect(exitCode).toBe(0);
    expect(await readListing(cwd, 'A-1')).toMatchObject({
      address: { street: '12 Main St' },
      assets: { length: 5 },
      agents: [{ id: 'ann-lee', first_name: 'Ann', last_name: 'Lee' }],
    });
  });

  it('reads UTF-8 and Windows-1252, also in one file', async () => {
    const rows = [
      Buffer.from(`${HEADER}\nA-1,12 Straße,José,${URLS}\n`),
      Buffer.from(`A-2,12 Stra\xdfe \x96 Hof,Jos\xe9,${URLS}\n`, 'latin1'),
    ];
    const { cwd } = await importCsv(Buffer.concat(rows));
    expect((await readListing(cwd, 'A-1')).address?.street).toBe('12 Straße');
    expect((await readListing(cwd, 'A-2')).address?.street).toBe('12 Straße – Hof');
  });

  it('takes what --map says about columns', async () => {
    const map = {
      Nr: 'ListingId',
      Wo: 'street address',
      Wer: 'ListAgentFullName',
      Photos: 'Photos',
      Status: null,
    };
    const { exitCode, json, cwd } = await importCsv(
      `Nr,Wo,Wer,Photos,Status\nA-1,12 Main St,Ann Lee,${URLS},Expired\n`,
      ['--map', 'columns.json'],
      {
        'columns.json': map,
      },
    );
    expect([exitCode, json().unused_columns]).toEqual([0, []]);
    expect((await readListing(cwd, 'A-1')).address).toEqual({ street: '12 Main St' });
  });

  it('takes what --map says about values', async () => {
    const map = {
      Status: { values: { A: 'Active', P: 'Pending' } },
      Kind: { field: 'PropertyType', values: { R: 'Residential Lease' } },
      Town: { field: 'City', values: { '-': null } },
    };
    const rows = ['A-1,a,R,-', 'A-2,P,Residential,Salem'].map((row) => `${row},12 Main St,Ann Lee,${URLS}\n`);
    const { exitCode, cwd } = await importCsv(
      `MLS #,Status,Kind,Town,Address,Agent,Photos\n${rows.join('')}`,
      ['--map', 'columns.json'],
      { 'columns.json': map },
    );
    expect(exitCode).toBe(0);
    const statusOf = async (id: string) =>
      (await readListing(cwd, id)).agents[0].video_options.template_data.status;
    expect([await statusOf('A-1'), await statusOf('A-2')]).toEqual(['For lease', 'Pending']);
    expect((await readListing(cwd, 'A-1')).address).toEqual({ street: '12 Main St' });
    expect((await readListing(cwd, 'A-2')).address).toEqual({ street: '12 Main St', city: 'Salem' });
  });

  it('says what to type for a status and a column that it does not know', async () => {
    const csv = `MLS #;Status;Adress;Zip;Baths;Agent;Agent License;Photos\nA-1;A;1 Elm;80201;2,5;Ann Lee;CO 12;${URLS}\n`;
    const { cwd, json, stderr } = await importCsv(csv);
    const [{ left_out: leftOut, notes }] = json().listings;
    const statuses = 'Active, Active Under Contract, Closed, Coming Soon, or Pending';
    const advice = `with ${statuses} for STATUS: --map '{"Status":{"values":{"A":"STATUS"}}}'`;
    expect(leftOut).toEqual([
      {
        source: 'StandardStatus (column "Status")',
        reason: `"A" is not a known status: say what it means, ${advice}`,
      },
    ]);
    expect(notes).toEqual([expect.stringContaining('no street'), expect.stringContaining('was divided')]);
    expect(stderr).toContain('columns not used: Adress (did you mean Address?)\n');
    expect(await readListing(cwd, 'A-1')).toMatchObject({
      address: { street: '', postal_code: '80201' },
      bathrooms: 2,
      half_bathrooms: 1,
      agents: [{ licenses: [{ number: '12', state: 'CO' }] }],
    });
    const map = '{"Status":{"values":{"A":"Active"}},"Adress":"Address"}';
    await run(['import', 'csv', 'listings.csv', '--map', map], { cwd });
    expect(await readListing(cwd, 'A-1')).toMatchObject({
      address: { street: '1 Elm' },
      agents: [{ video_options: { template_data: { status: 'For sale' } } }],
    });
  });

  it.each([
    [{ 'MLS#': 'ListingId' }, /columns\.json: listings\.csv has no column "MLS#"/, 'did you mean MLS #?'],
    [{ 'MLS #': 'ListngId' }, /unknown field "ListngId" for the column "MLS #"/, 'did you mean ListingId?'],
    [
      { 'MLS #': 'ListingId', Address: 'ListingId' },
      /both "MLS #" and "Address" are ListingId/,
      'give one of them another field, or null',
    ],
    [{ 'MLS #': 5 }, /expected the name of a field for the column "MLS #"/, expect.any(String)],
    [
      { Adress: { values: { A: 'B' } } },
      /columns\.json: listings\.csv has no column "Adress"/,
      'did you mean Address?',
    ],
    [
      { Wo: { values: { A: 'B' } } },
      /unknown field "Wo" for the column "Wo"/,
      expect.stringContaining('help import'),
    ],
    [
      { 'MLS #': { field: 'StandardStatus', values: { A: 'Actve' } } },
      /unknown status "Actve" for the value "A" of the column "MLS #"/,
      'did you mean Active?',
    ],
    [
      { 'MLS #': { values: { A: 1 } } },
      /expected a text or null for the value "A" of the column "MLS #"/,
      expect.stringContaining('"values"'),
    ],
    [
      { 'MLS #': { valus: { A: 'B' } } },
      /expected "field" and "values" for the column "MLS #", found "valus"/,
      expect.any(String),
    ],
    [['MLS #'], /expected an object/, expect.any(String)],
    [{ 'MLS #': null }, /no column has the ListingId/, expect.stringContaining('--map')],
    ['{', /not JSON/, undefined],
  ])('refuses the map %j', async (map, message, hint) => {
    const { exitCode, json } = await importCsv(`${HEADER},Wo\n`, ['--map', 'columns.json'], {
      'columns.json': map,
    });
    const { error } = json();
    expect([exitCode, error.message]).toEqual([2, expect.stringMatching(message)]);
    if (hint !== undefined) expect(error.context.hint).toEqual(hint);
  });

  it('goes on after rows that are broken, and says where they are', async () => {
    const { exitCode, json } = await importCsv(
      `${HEADER}\n,1 Elm,Ann Lee,${URLS}\nA-2,1 Elm, Portland,Ann Lee,${URLS}\nA-3,1 Elm,Ann Lee,${URLS}\nA-4,"1 Elm,Ann Lee,${URLS}\nA-5,1 Elm,Ann Lee,${URLS}\n`,
    );
    expect(exitCode).toBe(1);
    expect(
      json().listings.map(({ source, state, reasons }: Record<string, unknown>) => [source, state, reasons]),
    ).toEqual([
      ['listings.csv:2', 'invalid', ['it has neither ListingId nor ListingKey']],
      ['listings.csv:3', 'invalid', [expect.stringContaining('it has 5 values for 4 columns')]],
      ['listings.csv:4', 'written', []],
      ['listings.csv:5', 'invalid', [expect.stringContaining('not closed')]],
    ]);
  });

  it.each(['\r\n', '\n', '\r'])('names the line where a row begins, with line ends %j', async (end) => {
    const rows = [
      'sep=,',
      `${HEADER},Remarks`,
      '',
      `A-1,1 Elm,Ann Lee,${URLS},"two`,
      '',
      'lines"',
      '',
      '',
      `A-2,2 Elm,Ann Lee,${URLS},"one`,
      'more"',
      `A-3,3 Elm,Ann Lee,${URLS},`,
      `A-4,"4 Elm,Ann Lee,${URLS},`,
    ];
    const { json } = await importCsv(rows.join(end));
    expect(json().listings.map(({ source }: Record<string, unknown>) => source)).toEqual(
      [4, 9, 11, 12].map((line) => `listings.csv:${line}`),
    );
  });

  it('names the lines of rows that are longer than what is read at once', async () => {
    const long = `"${`${'x'.repeat(997)}\r\n`.repeat(500)}"`;
    const row = (id: string) => `${id},1 Elm,Ann Lee,${URLS},${long}\r\n`;
    const { json } = await importCsv(`${HEADER},Remarks\r\n${row('A-1')}${row('A-2')}${row('A-3')}`);
    expect(json().listings.map(({ source }: Record<string, unknown>) => source)).toEqual(
      [2, 503, 1004].map((line) => `listings.csv:${line}`),
    );
  });

  it('names the command for a file of JSON', async () => {
    const { exitCode, json } = await importCsv('{\n"ListingId": "A-1"\n}\n');
    expect([exitCode, json().error.context.hint]).toEqual([
      2,
      'for JSON: listing-video import reso listings.csv',
    ]);
  });

  it.each([
    ['an empty file', '', /there is no header/],
    ['a file without known columns', 'a,b\n1,2\n', /no column has the ListingId; its columns are "a", "b"/],
    ['a file without lines', `MLS #,${'x,'.repeat(600_000)}`, /its first line is longer than 1 MiB/],
    ['a workbook', Buffer.from('PK\u0003\u0004'), /it is a ZIP archive or a workbook/],
  ])('ends with 2 for %s', async (_, csv, message) => {
    const { exitCode, json } = await importCsv(csv);
    expect([exitCode, json().error.message]).toEqual([2, expect.stringMatching(message)]);
  });

  it('takes columns with the names of prototypes for what they are', async () => {
    const { exitCode, cwd } = await importCsv(
      `__proto__,constructor,${HEADER}\nx,y,__proto__,12 Main St,Ann Lee,${URLS}\n`,
    );
    expect(exitCode).toBe(0);
    expect((await readListing(cwd, '__proto__')).id).toBe('__proto__');
  });

  it('gives no column of a second agent to the first', async () => {
    const { cwd } = await importCsv(
      `MLS #,Agent,Agent 2 Email,Photos\nA-1,Ann Lee,bob@example.com,${URLS}\n`,
    );
    expect((await readListing(cwd, 'A-1')).agents[0]).not.toHaveProperty('emails');
  });

  it('takes no file of this machine from a cell', async () => {
    const row = `A-1,12 Main St,Ann Lee,${URLS} /etc/passwd file:///etc/passwd,/etc/passwd`;
    const { json, cwd } = await importCsv(`${HEADER},Agent Photo\n${row}\n`);
    const text = await readFile(path.join(cwd, 'listings/A-1/listing.json'), 'utf8');
    expect(text).not.toContain('passwd');
    expect(json().listings[0].left_out).toHaveLength(3);
  });
});

describe('--photos', () => {
  const csv = (...ids: string[]) => `MLS #,Agent\n${ids.map((id) => `${id},Ann Lee\n`).join('')}`;

  it('finds the files of each row, in natural order', async () => {
    const { exitCode, cwd, json } = await importCsv(
      csv('A-1', 'A-2'),
      ['--photos', 'photos/{ListingId}/*.jpg'],
      {
        ...photosIn('photos/A-1'),
        ...photosIn('photos/A-2', ['front.jpg', 'b.jpg', 'c.jpg', 'd.jpg', 'e.jpg', 'plan.pdf']),
      },
    );
    expect(exitCode).toBe(0);
    expect((await readListing(cwd, 'A-1')).assets).toEqual(
      ['1.jpg', '2.jpg', '3.jpg', '4.jpg', '10.JPG'].map((name) => ({ url: `../../photos/A-1/${name}` })),
    );
    expect(json().listings[1]).toMatchObject({ photos: 5, from: { assets: '--photos' } });
    expect((await run(['validate', 'listings/', '--json'], { cwd })).json().valid).toBe(true);
  });

  it('finds files by a part of their name, and not those of a longer one', async () => {
    const { cwd } = await importCsv(csv('A-1'), ['--photos', 'all/{MLS #}_*.{jpg,png}'], {
      ...photosIn('all', [
        'A-1_1.jpg',
        'A-1_2.png',
        'A-1_3.jpg',
        'A-1_4.jpg',
        'A-1_5.jpg',
        'A-1_6.gif',
        'A-11_1.jpg',
        'XA-1_1.jpg',
      ]),
    });
    const names = (await readListing(cwd, 'A-1')).assets.map(({ url }: { url: string }) =>
      path.basename(url),
    );
    expect(names).toEqual(['A-1_1.jpg', 'A-1_2.png', 'A-1_3.jpg', 'A-1_4.jpg', 'A-1_5.jpg']);
  });

  it.each([
    '..',
    '../secret',
    '*',
    '?-1',
    '{A-1,x}',
    '.',
    'A-1/../../secret',
    '/etc',
    '**',
    'A-1\u0000',
    '[A]-1',
    '(A-1)+',
    '.*',
  ])('gives a row with %j no files of another', async (value) => {
    const row = `MLS #,Agent,Photos,Folder\nX,Ann Lee,${URLS},"${value}"\n`;
    const { cwd, json } = await importCsv(row, ['--photos', 'photos/{Folder}/*.jpg'], {
      ...photosIn('photos/A-1'),
      ...photosIn('secret'),
    });
    const [entry] = json().listings;
    expect(entry).toMatchObject({
      state: 'written',
      notes: expect.arrayContaining([expect.stringMatching(/^no photo matches/)]),
    });
    const { assets } = JSON.parse(await readFile(path.join(cwd, entry.file), 'utf8'));
    expect(assets.every(({ url }: { url: string }) => url.startsWith('https://'))).toBe(true);
  });

  it('follows no link out of the folder', async () => {
    const cwd = await folderOf({
      'listings.csv': csv('A-1'),
      ...photosIn('secret'),
      'photos/A-2/1.jpg': 'photo',
    });
    await symlink(path.join(cwd, 'secret'), path.join(cwd, 'photos', 'A-1'));
    const { exitCode } = await run('import csv listings.csv --photos photos/{ListingId}/*.jpg', { cwd });
    expect(exitCode).toBe(2);
  });

  it.each([
    ['photos/*.jpg', /names the same files for every listing/],
    ['photos/1.jpg', /names the same files for every listing/],
    ['photos/{ListngId}/*.jpg', /there is no column "ListngId"/],
    ['https://photos.example.com/{ListingId}/1.jpg', /takes files of this machine/],
  ])('refuses %s', async (pattern, message) => {
    const { exitCode, json } = await importCsv(csv('A-1'), ['--photos', pattern]);
    expect([exitCode, json().error.message]).toEqual([2, expect.stringMatching(message)]);
  });

  it('names the rows without photos', async () => {
    const { exitCode, json } = await importCsv(csv('A-1', ''), ['--photos', 'photos/{ListingId}/*.jpg']);
    expect(exitCode).toBe(2);
    expect(json().listings[0]).toMatchObject({
      state: 'invalid',
      reasons: ['assets: 5 to 100 photos are needed, there are none'],
      notes: expect.arrayContaining(['no photo matches --photos for "A-1"']),
    });
  });

  it('reads stdin, and names photos relative to where they are read', async () => {
    const words = ['import', 'csv', '-', '--photos', 'photos/{ListingId}/*', '--ndjson', '-'];
    const { cwd, stdout } = await run(words, { files: photosIn('photos/A-1'), stdin: csv('A-1') });
    expect(JSON.parse(stdout).assets[0]).toEqual({ url: 'photos/A-1/1.jpg' });
    await mkdir(path.join(cwd, 'out'));
    await writeFile(path.join(cwd, 'listings.csv'), csv('A-1'));
    await run(
      [
        'import',
        'csv',
        'listings.csv',
        '--photos',
        `${cwd}/photos/{ListingId}/*`,
        '--ndjson',
        'out/a.ndjson',
      ],
      { cwd },
    );
    expect(JSON.parse(await readFile(path.join(cwd, 'out/a.ndjson'), 'utf8')).assets[0]).toEqual({
      url: '../photos/A-1/1.jpg',
    });
  });
});
