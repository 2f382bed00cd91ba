/** `templates`: what is listed and shown, and what a word, a time or a file name of `preview` means. */
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { BUILT_IN_TEMPLATES_DIR } from '../../src/design/template/load-template.ts';
import type { LintRequest, TemplateFinding, TemplateLint } from '../../src/video/templates/lint-template.ts';
import type { PreviewRequest, TemplatePreview } from '../../src/video/templates/preview-template.ts';
import { agent, folderOf, listing } from './listing-files.ts';
import { type AnyJson, type CliRun, run } from './run-cli.ts';

/** A folder with a template of one's own, `mine/plain`, and a broken one. */
async function withOwn(): Promise<string> {
  const cwd = await folderOf({ 'mine/broken/template.json': '{' });
  const text = await readFile(path.join(BUILT_IN_TEMPLATES_DIR, 'classic/template.json'), 'utf8');
  await mkdir(path.join(cwd, 'mine/plain'));
  await writeFile(
    path.join(cwd, 'mine/plain/template.json'),
    text.replace('"id": "classic"', '"id": "plain"'),
  );
  return cwd;
}

describe('templates list', () => {
  it('names each template, own ones beside those that ship, whatever is wrong with one of them', async () => {
    const cwd = await withOwn();
    const { exitCode, json } = await run(['templates', 'list', '--json', '--templates-dir', 'mine'], { cwd });
    expect(exitCode).toBe(0);
    const rows = Object.fromEntries(json().data.map((row: AnyJson) => [row.id, row]));
    expect(rows.classic).toMatchObject({ ratios: ['1920:1080', '1080:1920'], built_in: true, problem: null });
    expect(rows.plain).toMatchObject({ name: 'Classic', built_in: false, problem: null });
    expect(rows.broken).toMatchObject({ name: null, problem: expect.stringContaining('not JSON') });
  });
});

describe('a folder of templates that is missing', () => {
  it.each([
    ['templates', 'list'],
    ['templates', 'show', 'classic'],
    ['templates', 'preview', 'classic'],
    ['templates', 'validate', 'classic'],
    ['create', 'l.json'],
  ])('is an error of %s %s', async (...words) => {
    const cwd = await folderOf({ 'l.json': listing('L') });
    const { exitCode, stderr } = await run([...words, '--templates-dir', 'nope'], { cwd });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`--templates-dir: ${cwd}/nope: `)]);
  });

  it('is made by templates new', async () => {
    const { cwd, exitCode } = await run('templates new harbor --templates-dir mine');
    expect(exitCode).toBe(0);
    expect((await run(['templates', 'list', '--templates-dir', 'mine'], { cwd })).stdout).toContain('harbor');
  });
});

describe('templates show', () => {
  it('has every data layer with type, default and example', async () => {
    const { exitCode, json } = await run('templates show classic --json');
    expect(exitCode).toBe(0);
    const { data_layers, ratios, music } = json();
    const [accent, pace] = ['accent', 'pace'].map((name) =>
      data_layers.find((layer: AnyJson) => layer.name === name),
    );
    expect(accent).toMatchObject({ type: 'color', default: '#A8864F', example: '#1F5C4D' });
    expect(pace).toMatchObject({ type: 'number', default: '1', min: 0.8, max: 1.25 });
    expect(data_layers.every((layer: AnyJson) => layer.description !== '' && layer.example !== '')).toBe(
      true,
    );
    expect(ratios.map((row: AnyJson) => row.ratio)).toEqual(['1920:1080', '1080:1920']);
    expect(music).toBe('classic');
  });

  it('takes the path of a folder or file, and fits a narrow terminal', async () => {
    const cwd = await withOwn();
    for (const word of ['mine/plain', './mine/plain/template.json']) {
      const { exitCode, stdout } = await run(['templates', 'show', word], { cwd, isTty: true, columns: 70 });
      expect([exitCode, stdout.split('\n')[0]]).toEqual([
        0,
        `plain: Classic, ${cwd}/mine/plain/template.json`,
      ]);
      expect(stdout).toContain('caption_01-100');
    }
  });

  it.each([
    ['clasic', 'template_not_found', 'did you mean classic?'],
    ['mine/none', 'input_unreadable', 'templates list'],
  ])('%s is an error with what to do', async (word, code, hint) => {
    const { exitCode, json } = await run(['templates', 'show', word, '--json']);
    expect(exitCode).toBe(2);
    expect(json().error).toMatchObject({ code, context: { hint: expect.stringContaining(hint) } });
  });
});

describe('templates preview', () => {
  async function order(
    words: readonly string[],
    files: Record<string, unknown> = {},
  ): Promise<CliRun & { order: PreviewRequest | undefined; cwd: string }> {
    const cwd = await folderOf(files);
    let order: PreviewRequest | undefined;
    const preview = async (given: PreviewRequest): Promise<TemplatePreview> => {
      order = given;
      return {
        ...{
          file: given.file,
          template_id: given.templateId,
          ratio: given.ratio!,
          width_px: 2,
          height_px: 2,
        },
        ...{ video_sec: 40, shown_sec: [0, 1], warnings: ['told'], dropped_assets: [] },
      };
    };
    return { ...(await run(['templates', 'preview', ...words], { cwd, preview })), order, cwd };
  }

  it('shows all scenes of the listing that ships, in a file named for what is shown', async () => {
    const { order: given, cwd, stdout, stderr } = await order(['luxury', '--ratio', '1080:1920']);
    expect(given).toMatchObject({
      templateId: 'luxury',
      shot: { kind: 'sheet', format: 'png' },
      file: path.join(cwd, 'luxury-1080x1920-sheet.png'),
      listing: { id: 'HP-204128', agents: [{ id: 'june-takemori' }] },
    });
    expect([stdout, stderr]).toEqual(['luxury-1080x1920-sheet.png\n', 'warning: told\n']);
  });

  it.each([
    [['--at', '3.5s'], { kind: 'still', atSec: 3.5, format: 'png' }, 'classic-1920x1080-3.5s.png'],
    [['--at', '1m2s', '-o', 'a/b.JPG'], { kind: 'still', atSec: 62, format: 'jpg' }, 'a/b.JPG'],
    [
      ['--clip', '5'],
      { kind: 'clip', fromSec: 0, durationSec: 5, format: 'mp4' },
      'classic-1920x1080-clip.mp4',
    ],
    [['--clip', '5s', '--at', '2s', '-o', 'x.gif'], { kind: 'clip', fromSec: 2, format: 'gif' }, 'x.gif'],
    [['--contact-sheet', '--out', '.'], { kind: 'sheet' }, 'classic-1920x1080-sheet.png'],
  ])('understands %j', async (words, shot, file) => {
    const { order: given, cwd } = await order(['classic', ...words]);
    expect(given).toMatchObject({ shot, file: path.join(cwd, file) });
  });

  it.each([
    [['--clip', '5s', '--contact-sheet'], '--contact-sheet cannot be combined with --at or --clip'],
    [['--at', 'soon'], '--at: expected a time'],
    [['--clip', '0s'], '--clip: expected more than 0'],
    [['--clip', '5s', '-o', 'x.png'], 'a clip needs one of the extensions .mp4, .gif'],
    [['--agent', 'nobody'], 'no agent "nobody"'],
    [['--data', 'headlin=x'], 'did you mean headline?'],
    [['--data', 'speed=slow'], 'did you mean pace?'],
    [['--data', 'length=5s'], '"length" is "5s", expected short, normal, long or 10s to 90s'],
    [['--data', 'zzz=x'], 'try: listing-video templates show classic'],
    [['--watch', '--json'], '--watch cannot be combined with --json'],
    [['-', '--watch'], '--watch cannot read stdin'],
    [['none.json', '--watch'], 'nothing to watch: none.json'],
  ])('refuses %j', async (words, message) => {
    const { exitCode, stdout, stderr, order: given } = await order(['classic', ...words]);
    expect([exitCode, given]).toEqual([2, undefined]);
    expect(stdout + stderr).toContain(message);
  });

  it('shows the video of the named agent, in the ratio of that agent', async () => {
    const file = listing('L', [agent('ann'), agent('bea', { ratio: '1080:1920' })]);
    const { order: given } = await order(['classic', 'l.json', '--agent', 'bea', '--data', 'price=$1'], {
      'l.json': file,
    });
    expect(given).toMatchObject({
      ratio: '1080:1920',
      listing: { agents: [{ id: 'bea' }] },
      templateData: { price: '$1' },
    });
  });

  it('tells an invalid listing before it looks at a photo', async () => {
    const { exitCode, stderr, order: given } = await order(['classic', 'l.json'], { 'l.json': { id: 'x' } });
    expect([exitCode, given]).toEqual([2, undefined]);
    expect(stderr).toContain('not a valid listing');
  });
});

describe('templates preview --watch', () => {
  it('draws again after every change, says so in one line, and survives broken edits until Ctrl-C', async () => {
    const cwd = await withOwn();
    const template = path.join(cwd, 'mine/plain/template.json');
    const listingFile = path.join(cwd, 'l.json');
    const text = await readFile(template, 'utf8');
    await writeFile(listingFile, JSON.stringify(listing('L')));
    const interrupt = new AbortController();
    const ids: string[] = [];
    const steps = [
      () => undefined,
      () => writeFile(template, text.replace('"Classic"', '"Own"')),
      () => writeFile(listingFile, '{ "id": '),
      // Many editors write a new file and rename it.
      async () => {
        await writeFile(`${listingFile}~`, JSON.stringify(listing('M')));
        await rename(`${listingFile}~`, listingFile);
      },
      () => rm(template),
      () => writeFile(template, text),
      () => writeFile(path.join(cwd, 'other.txt'), 'no file of ours'),
    ];
    const { exitCode, stdout, stderr, isBackendClosed } = await run(
      'templates preview ./mine/plain l.json --watch',
      {
        cwd,
        interrupted: interrupt.signal,
        preview: async ({ file, listing: { id } }) => {
          ids.push(id);
          const facts = { template_id: 'plain', ratio: '1920:1080' as const, width_px: 2, height_px: 2 };
          return { file, ...facts, video_sec: 40, shown_sec: [0, 1], warnings: [], dropped_assets: [] };
        },
        delay: async (durationMs, signal) => {
          // While a change settles, nothing happens.
          if (durationMs < 500) return;
          const step = steps.shift();
          if (step) await step();
          else interrupt.abort();
          signal.throwIfAborted();
        },
      },
    );
    expect([exitCode, isBackendClosed, ids]).toEqual([0, true, ['L', 'L', 'M', 'M']]);
    const name = 'plain-1920x1080-sheet.png';
    expect(stdout.split('\n')).toEqual([
      name,
      `${name} (changed: mine/plain/template.json)`,
      `${name} (changed: l.json)`,
      `${name} (changed: mine/plain/template.json)`,
      '',
    ]);
    expect(stderr.split('\n').filter((line) => /^(error|watching)/.test(line))).toEqual([
      expect.stringMatching(/^watching \d+ files; press Ctrl-C to stop$/),
      expect.stringContaining('l.json'),
      expect.stringContaining('no template at ./mine/plain'),
    ]);
  });

  it('ends at once for an unknown template', async () => {
    const { exitCode, stderr } = await run('templates preview clasic --watch');
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('did you mean classic?')]);
  });
});

describe('templates validate', () => {
  const finding: TemplateFinding = {
    ...{ listing: 'sample', video: 'no facts', ratio: '1920:1080', at_sec: 3.4 },
    ...{
      rule: 'contrast',
      scene: 'scene-02-photo',
      layer: 'caption',
      message: '2.10 on #FFFFFF, at least 4.5',
    },
  };
  const lintOf =
    (findings: readonly TemplateFinding[], orders: LintRequest[] = []) =>
    async (order: LintRequest): Promise<TemplateLint> => {
      orders.push(order);
      return { findings, warnings: [], videoCount: 36, dropped_assets: [] };
    };

  it('tells every fault with its path and place, and lays nothing out', async () => {
    const cwd = await withOwn();
    const file = path.join(cwd, 'mine/plain/template.json');
    const text = await readFile(file, 'utf8');
    const colored = '"color": "accentText"';
    await writeFile(
      file,
      text.replace('"lineHeight"', '"lineHight"').replace(colored, colored.replace('accentText', 'sofft')),
    );
    const orders: LintRequest[] = [];
    const world = { cwd, lint: lintOf([], orders) };
    const { exitCode, json } = await run(['templates', 'validate', 'mine/plain', '--json'], world);
    expect([exitCode, orders]).toEqual([2, []]);
    const lineOf = (word: string) => text.slice(0, text.indexOf(word)).split('\n').length;
    expect(json()).toMatchObject({
      valid: false,
      template: { id: 'plain', file },
      faults: [
        {
          path: '$.styleDefaults.lineHight',
          problem: expect.stringContaining('"lineHeight"'),
          line: lineOf('"lineHeight"'),
        },
        {
          problem: expect.stringContaining('the palette does not have: "sofft"; did you mean "soft"?'),
          line: lineOf(colored),
        },
      ],
    });
    const { stdout } = await run(['templates', 'validate', 'mine/broken'], world);
    expect(stdout).toMatch(/^invalid {2}.*: 1 fault\n {2}\$ is not JSON: .*\(line 1, column \d\)\n$/);
  });

  it('lays out the sample with its variations and each listing that is named', async () => {
    const cwd = await folderOf({ 'l.json': listing('L') });
    const orders: LintRequest[] = [];
    const words = ['templates', 'validate', 'classic', 'l.json'];
    const { exitCode, stdout, stderr } = await run(words, { cwd, lint: lintOf([], orders) });
    expect([exitCode, stderr]).toEqual([0, '36 videos laid out\n']);
    expect(stdout).toMatch(/^valid {4}.*classic\/template\.json\n$/);
    expect(orders[0]!.listings).toMatchObject([
      { name: 'sample', hasStressCases: true },
      { name: 'l.json', hasStressCases: false, baseDir: cwd },
    ]);
  });

  it('exits 1 for findings, reported once for all videos they are in', async () => {
    const cwd = await folderOf();
    const lint = lintOf([finding, { ...finding, video: 'a studio', scene: 'scene-04-photo' }]);
    const people = await run(['templates', 'validate', 'classic'], { cwd, lint });
    expect(people.exitCode).toBe(1);
    expect(people.stdout.split('\n').slice(1)).toEqual([
      '  contrast  1920:1080, scene-02-photo at 3.4 s, caption: 2.10 on #FFFFFF, at least 4.5',
      '    with no facts; a studio',
      '',
    ]);
    const programs = await run(['templates', 'validate', 'classic', '--json'], { cwd, lint });
    expect(programs.json()).toMatchObject({ valid: false, faults: [], findings: [finding, {}], videos: 36 });
  });
});

it('shows the fonts of a template of your own, and copies them with it', async () => {
  const cwd = await withOwn();
  const file = path.join(cwd, 'mine/plain/template.json');
  const fonts = '"fonts": { "box": { "files": ["Box-Bold.otf"] } }, "styleDefaults": {';
  await writeFile(file, (await readFile(file, 'utf8')).replace('"styleDefaults": {', fonts));
  await cp(new URL('../design/text/fonts', import.meta.url), path.join(cwd, 'mine/plain/fonts'), {
    recursive: true,
  });
  const shown = await run(['templates', 'show', 'mine/plain', '--json'], { cwd });
  expect(shown.json().fonts).toEqual([
    { family: 'eb-garamond', built_in: true, files: [] },
    {
      family: 'box',
      built_in: false,
      files: [{ file: 'fonts/Box-Bold.otf', name: 'Box Sans', weights: [700, 700], italic: false }],
    },
  ]);
  const words = ['templates', 'new', 'copy', '--from', 'plain', '--templates-dir', 'mine'];
  expect((await run(words, { cwd })).exitCode).toBe(0);
  expect(await readdir(path.join(cwd, 'mine/copy/fonts'))).toEqual(['Box-Bold.otf']);
});

describe('templates new', () => {
  const words = ['templates', 'new', 'harbor-blue', '--templates-dir', 'mine', '--json'];

  it('copies a template under its own id, with a schema beside it, and it is valid', async () => {
    const { cwd, exitCode, json } = await run([...words, '--from', 'luxury']);
    const file = path.join(cwd, 'mine/harbor-blue/template.json');
    expect([exitCode, json()]).toEqual([0, { id: 'harbor-blue', file, from: 'luxury' }]);
    const [copy, original] = await Promise.all(
      [file, path.join(BUILT_IN_TEMPLATES_DIR, 'luxury/template.json')].map((name) => readFile(name, 'utf8')),
    );
    const changed = original!.split('\n').filter((line, index) => line !== copy!.split('\n')[index]);
    expect(changed.map((line) => line.trim())).toEqual(['"id": "luxury",', '"name": "Luxury",']);
    const { $schema, id, name } = JSON.parse(copy!);
    expect({ id, name }).toEqual({ id: 'harbor-blue', name: 'Harbor blue' });
    const schema = JSON.parse(await readFile(path.resolve(path.dirname(file), $schema), 'utf8'));
    expect(schema.title).toBe('Template of listing-video');
    const { exitCode: verdict } = await run(['templates', 'validate', 'mine/harbor-blue'], { cwd });
    expect(verdict).toBe(0);
  });

  it('overwrites nothing: neither a template nor a schema that is not ours', async () => {
    const files = { 'mine/harbor-blue/notes.txt': 'mine', 'mine/template.schema.json': '{"title":"mine"}' };
    const { cwd, exitCode, json } = await run(words, { files });
    expect([exitCode, json().error.message]).toEqual([2, `${cwd}/mine/harbor-blue already exists`]);
    expect((await run(['templates', 'new', 'other', '--templates-dir', 'mine'], { cwd })).exitCode).toBe(0);
    for (const [name, text] of Object.entries(files))
      expect(await readFile(path.join(cwd, name), 'utf8')).toBe(text);
  });

  it.each([
    [['../escape', '--templates-dir', 'mine'], "cannot be a template's id"],
    [['Harbor', '--templates-dir', 'mine'], "cannot be a template's id"],
    [['soundtracks', '--templates-dir', 'mine'], "cannot be a template's id"],
    [['classic', '--templates-dir', 'mine'], 'is the id of a built-in template'],
    [['harbor', '--from', 'none', '--templates-dir', 'mine'], 'no template is called "none"'],
    [['harbor'], '--templates-dir is missing'],
  ])('refuses %j and makes nothing', async (given, message) => {
    const { cwd, exitCode, stderr } = await run(['templates', 'new', ...given]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
    expect(await readdir(cwd)).toEqual([]);
  });
});
