/** `validate`: the violations are the result, in words, with a caret view on a terminal, or as JSON. */
import { describe, expect, it } from 'vitest';
import { agent, folderOf, listing } from './listing-files.ts';
import { type AnyJson, run } from './run-cli.ts';

describe('validate', () => {
  it('prints every violation with its JSON path on stdout', async () => {
    const bad = { ...listing(), bedrooms: -1, agents: [agent('ann', { ratio: '4:3' })] };
    const cwd = await folderOf({ 'a.json': bad });
    const { exitCode, stdout, stderr } = await run(['validate', 'a.json'], { cwd });
    expect(exitCode).toBe(2);
    expect(stdout.split('\n')).toEqual([
      'invalid  a.json: 2 violations',
      '  a.json:26:18  agents[0].video_options.ratio: expected "1920:1080" or "1080:1920", found "4:3"',
      '  a.json:30:15  bedrooms: expected 0 or more, found -1',
      '',
    ]);
    expect(stderr).toBe('');
  });

  it('shows the offending line with carets on a terminal, in colour', async () => {
    const cwd = await folderOf({ 'a.json': { ...listing(), bedrooms: -1 } });
    const { stdout } = await run(['validate', 'a.json'], { cwd, isTty: true });
    expect(stdout).toContain('"bedrooms": -1');
    expect(stdout).toMatch(/\u001b\[\d+m.*\^\^/);
  });

  it('shows no colour where NO_COLOR is set', async () => {
    const cwd = await folderOf({ 'a.json': { ...listing(), bedrooms: -1 } });
    const { stdout } = await run(['validate', 'a.json'], { cwd, isTty: true, env: { NO_COLOR: '1' } });
    expect(stdout).toContain('^^');
    expect(stdout).not.toContain('\u001b');
  });

  it('points at the place where the text stops being JSON', async () => {
    const cwd = await folderOf({ 'a.json': '{\n  "id": oops\n}' });
    const { exitCode, stdout } = await run('validate a.json', {
      cwd,
      isTty: true,
      env: { NO_COLOR: '1' },
    });
    expect(exitCode).toBe(2);
    expect(stdout).toContain('a.json:2:9');
    expect(stdout).toContain('"id": oops');
  });

  it('refuses a listing of more than 20,000 JSON values, as the API does, and so does create', async () => {
    const phones = Array(10_000).fill({ number: '503 555 0100' });
    const cwd = await folderOf({ 'a.json': { ...listing(), agents: [{ ...agent('ann'), phones }] } });
    const validated = await run(['validate', 'a.json'], { cwd });
    expect([validated.exitCode, validated.stdout]).toEqual([
      2,
      expect.stringMatching(/a listing can have 20000 JSON values, this one has 200\d\d$/m),
    ]);
    expect((await run(['create', 'a.json'], { cwd })).exitCode).toBe(2);
  });

  it('warns of unknown properties with the nearest name and stays valid', async () => {
    const cwd = await folderOf({ 'a.json': { ...listing(), bedroms: 3 } });
    const { exitCode, stdout } = await run(['validate', 'a.json'], { cwd });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('valid    a.json');
    expect(stdout).toMatch(/warning {2}a\.json:27:3 {2}bedroms: .*did you mean "bedrooms"\?/);
  });

  it('marks a misspelt key at the key, also where the property is required', async () => {
    const { id, ...rest } = listing();
    const cwd = await folderOf({ 'a.json': `{"idd": "${id}",\n${JSON.stringify(rest).slice(1)}` });
    const { exitCode, stdout } = await run(['validate', 'a.json'], { cwd });
    expect([exitCode, stdout.split('\n').slice(1, 3)]).toEqual([
      2,
      [
        '  a.json:1:2  id: required, but missing: rename "idd"',
        'warning  a.json:1:2  idd: unknown property "idd" is ignored; did you mean "id"?',
      ],
    ]);
  });

  it('breaks its sentences between words in a narrow terminal, and not in a pipe', async () => {
    const cwd = await folderOf({ 'a.json': { ...listing(), bedroms: 3, agents: [] } });
    const env = { NO_COLOR: '1' };
    const narrow = await run(['validate', 'a.json'], { cwd, env, columns: 50, isTty: true });
    expect(narrow.stdout).toContain(
      '  a.json:20:13  agents: 1 to 20 agents are\n    needed, there are none\n',
    );
    expect(narrow.stdout).toMatch(/^warning {2}a\.json:\d+:3 {2}bedroms: unknown property\n {9}"bedroms" /m);
    const tooLong = narrow.stdout.split('\n').filter((line) => line.length > 50);
    expect(tooLong).toEqual([]);
    const piped = await run(['validate', 'a.json'], { cwd, env, columns: 50 });
    expect(piped.stdout).toContain('is ignored; did you mean "bedrooms"?\n');
  });

  it('cuts the lines that it shows at the width of the terminal', async () => {
    const cwd = await folderOf({ 'a.json': JSON.stringify({ ...listing(), bedrooms: -1 }) });
    const shown = { cwd, isTty: true, columns: 50, env: { NO_COLOR: '1' } };
    const { stdout } = await run(['validate', 'a.json'], shown);
    const frame = stdout.split('\n').filter((line) => /^ +(1 )?\| /.test(line));
    expect(frame[0]).toMatch(/^ {3}1 \| ….*"bedrooms":-1\}$/);
    expect(frame[1]!.indexOf('^')).toBe(frame[0]!.indexOf('-1'));
    expect(Math.max(...frame.map((line) => line.length))).toBeLessThanOrEqual(50);
  });

  it('prints its documented shape under --json', async () => {
    const cwd = await folderOf({ 'a.json': listing(), 'b.json': { ...listing(), agents: 'x', bedroms: 1 } });
    const { exitCode, json } = await run(['validate', '--json', 'a.json', 'b.json', 'gone.json'], { cwd });
    expect(exitCode).toBe(1);
    expect(json()).toEqual({
      valid: false,
      files: [
        { file: 'a.json', valid: true, detail: [], warnings: [] },
        {
          file: 'b.json',
          valid: false,
          detail: [
            {
              ...{
                loc: ['body', 'agents'],
                msg: 'Input should be a valid list',
                type: 'list_type',
                input: 'x',
              },
              ...{ message: 'expected a list in [ ], found "x"', line: 20, column: 13 },
            },
          ],
          warnings: [
            expect.objectContaining({
              ...{ loc: ['body', 'bedroms'], suggestion: 'bedrooms' },
              ...{ line: 21, column: 3 },
            }),
          ],
        },
        {
          file: 'gone.json',
          valid: false,
          detail: [
            {
              ...{ loc: ['body'], msg: 'cannot read gone.json: no such file', type: 'file_not_found' },
              ...{ message: 'no such file', line: null, column: null },
              ctx: { hint: 'check the name, or write a listing with listing-video init' },
            },
          ],
          warnings: [],
        },
      ],
    });
  });

  it('says valid: true and exits 0 when all are', async () => {
    const cwd = await folderOf({ 'in/a.json': listing('a'), 'in/deep/listing.json': listing('b') });
    const { exitCode, json } = await run(['validate', 'in', '--json'], { cwd });
    expect(exitCode).toBe(0);
    expect(json().valid).toBe(true);
    expect(json().files.map((file: AnyJson) => file.file)).toEqual(['in/a.json', 'in/deep/listing.json']);
  });

  it('reads stdin, tolerates a byte order mark, refuses what is not UTF-8', async () => {
    const cwd = await folderOf({ 'latin.json': Buffer.from('{"id": "Caf\xe9"}', 'latin1') });
    const good = await run(['validate', '-'], { cwd, stdin: `\ufeff${JSON.stringify(listing())}` });
    expect([good.exitCode, good.stdout]).toEqual([0, 'valid    -\n']);
    const bad = await run(['validate', 'latin.json'], { cwd });
    expect(bad.exitCode).toBe(2);
    expect(bad.stdout).toContain('not UTF-8');
  });

  it('allows paths and file: URLs, as create does', async () => {
    const assets = Array.from({ length: 5 }, (_, index) => ({ url: `photos/${index}.jpg` }));
    const cwd = await folderOf({ 'a.json': { ...listing(), assets } });
    expect((await run(['validate', 'a.json'], { cwd })).exitCode).toBe(0);
  });

  it('takes a file literally whose name looks like a glob', async () => {
    const cwd = await folderOf({ '[1].json': listing('a'), '1.json': '{' });
    const { json } = await run(['validate', '[1].json', '--json'], { cwd });
    expect(json().files.map((file: AnyJson) => [file.file, file.valid])).toEqual([['[1].json', true]]);
  });

  it('prints nothing that could drive the terminal', async () => {
    const name = 'evil\u001b]0;x\u0007.json';
    const cwd = await folderOf({
      [name]: { ...listing(), '\u202ek\u001b[31m': 1, agents: [{ id: '\u001b[2J' }] },
    });
    const { stdout } = await run(['validate', '*.json'], { cwd, isTty: true, env: { NO_COLOR: '1' } });
    expect(stdout).toContain('evil\\x1b]0;x\\x07.json');
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    const { stdout: json } = await run(['validate', '*.json', '--json'], { cwd });
    expect(json).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    expect(JSON.parse(json).files[0].file).toBe(name);
  });
});

it('takes the project file beside listings for none of them', async () => {
  const cwd = await folderOf({
    'a.json': listing('A'),
    'b.json': listing('B'),
    'listing-video.config.json': {},
  });
  for (const words of [['.'], ['*.json'], ['a.json', 'b.json', 'listing-video.config.json']]) {
    const { exitCode, json } = await run(['validate', '--json', ...words], { cwd });
    expect([exitCode, json().files.map(({ file }: { file: string }) => file)]).toEqual([
      0,
      ['a.json', 'b.json'],
    ]);
  }
});

it.each([
  ['validate', ''],
  ['create', ''],
  ['create', 'a.json', ''],
])('refuses an empty name, which an empty variable of the shell gives: %s %j', async (...words) => {
  const { exitCode, stderr } = await run(words, { files: { 'a.json': listing('A') } });
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('the name of a listing is empty')]);
});
