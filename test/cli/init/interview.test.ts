/** Answers that are not asked for twice, also when they outlive the program, and names of files as people type them. */
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { describePhotos } from '../../../src/cli/init/describe-photos.ts';
import { readDraft, writeDraft } from '../../../src/cli/init/draft.ts';
import { type Interview, openInterview } from '../../../src/cli/init/interview.ts';
import { fileRule, optional, required, validateCount } from '../../../src/cli/init/validate-answer.ts';
import type { Prompter } from '../../../src/cli/terminal/prompter.ts';
import { folderOf } from '../listing-files.ts';

/** Answers each question with the next entry of the script. */
function scripted(script: readonly (string | boolean | string[])[]) {
  const asked: string[] = [];
  const left = [...script];
  const next = <T>(message: string): T => {
    asked.push(message);
    return left.shift() as T;
  };
  const prompter: Prompter = {
    text: async (message) => next(message),
    yesNo: async (message) => next(message),
    choose: async ({ message }) => next(message),
  };
  return { asked, prompter };
}

async function gather(ask: Interview) {
  const question = { flag: '--x', given: undefined };
  return [
    await ask.text({
      ...question,
      key: 'street',
      message: 'Street',
      rule: optional(required),
    }),
    await ask.text({ ...question, key: 'bedrooms', message: 'Bedrooms', rule: validateCount }),
    await ask.yesNo('more', 'More?', false),
    await ask.choose('plans', {
      message: 'Plans?',
      choices: ['a.jpg', 'b.jpg', 'c.jpg'].map((value) => ({ value, name: value })),
      preset: [],
      isMany: true,
    }),
  ];
}

describe('an interview', () => {
  it('keeps every answer as it was typed', async () => {
    const { asked, prompter } = scripted([' 1 Main St', '3', true, ['a.jpg', 'c.jpg']]);
    const kept: object[] = [];
    const ask = openInterview(prompter, {}, async (answers) => void kept.push({ ...answers }));
    expect(await gather(ask)).toEqual(['1 Main St', 3, true, ['a.jpg', 'c.jpg']]);
    expect(asked).toEqual(['Street', 'Bedrooms', 'More?', 'Plans?']);
    expect(kept).toEqual([
      { street: ' 1 Main St' },
      { street: ' 1 Main St', bedrooms: '3' },
      { street: ' 1 Main St', bedrooms: '3', more: 'yes' },
      { street: ' 1 Main St', bedrooms: '3', more: 'yes', plans: 'a.jpg\nc.jpg' },
    ]);
  });

  it('takes saved answers, and asks again where one is no longer valid', async () => {
    const { asked, prompter } = scripted(['4']);
    const saved = { street: '', bedrooms: 'many', more: 'no', plans: 'b.jpg' };
    expect(await gather(openInterview(prompter, saved, async () => {}))).toEqual([null, 4, false, ['b.jpg']]);
    expect(asked).toEqual(['Bedrooms']);
  });

  it.each([
    ['', []],
    ['gone.jpg\na.jpg', ['c.jpg']],
  ])('chooses again only where a saved choice is gone: %j', async (plans, chosen) => {
    const { prompter } = scripted([['c.jpg']]);
    const saved = { street: '', bedrooms: '1', more: 'no', plans };
    expect((await gather(openInterview(prompter, saved, async () => {}))).at(-1)).toEqual(chosen);
  });
});

it('keeps what an unfinished interview said of other photos beside an option', async () => {
  const { asked, prompter } = scripted([]);
  const photos = ['1', '2', '3', '4', '5'].map((name) => `/h/${name}.jpg`);
  const saved = {
    altered: 'yes',
    'altered photos': '/h/1.jpg',
    'label of 1.jpg': 'Virtually staged',
    'original of 1.jpg': 'none',
    weights: 'yes',
    'Which are floor plans?': '/h/2.jpg',
    'Which stand alone, and twice as long?': '/h/3.jpg',
    'Which share a scene with others?': '',
  };
  const given = { altered: ['4.jpg'], floorPlan: ['5.jpg'] };
  const ask = openInterview(prompter, saved, async () => {});
  const { assets } = await describePhotos(ask, photos, { given, cwd: '/h', folder: '/h' });
  expect(assets).toEqual([
    { url: '1.jpg', altered: 'Virtually staged' },
    { url: '2.jpg' },
    { url: '3.jpg', emphasis: 'high' },
    { url: '4.jpg', altered: true },
    { url: '5.jpg', kind: 'floor_plan' },
  ]);
  expect(asked).toEqual([]);
});

describe('the draft of a listing', () => {
  it('keeps answers', async () => {
    const file = path.join(await folderOf(), 'new', 'listing.json.draft');
    const answers = { street: '1 Main St', more: 'yes' };
    await writeDraft(file, answers);
    expect(await readDraft(file)).toEqual(answers);
    expect(await readdir(path.dirname(file))).toEqual(['listing.json.draft']);
  });

  it.each([
    ['no JSON', 'mine'],
    ['no answers', '{"version":1}'],
    ['null', 'null'],
  ])('is ignored when it is %s', async (_, content) => {
    const file = path.join(await folderOf({ draft: content }), 'draft');
    expect(await readDraft(file)).toEqual({});
  });

  it('leaves out entries of another form', async () => {
    const file = path.join(
      await folderOf({ draft: { answers: { street: 'x', n: 3, more: null } } }),
      'draft',
    );
    expect(await readDraft(file)).toEqual({ street: 'x' });
  });
});

describe('the name of a file', () => {
  it('is understood as terminals write it when a file is dragged into them', async () => {
    const cwd = await folderOf({ 'my house/front view.jpg': '', "june's.jpg": '' });
    const file = path.join(cwd, 'my house', 'front view.jpg');
    const rule = fileRule(cwd, cwd);
    const accepted = { ok: true, value: 'my house/front view.jpg' };
    for (const typed of [
      'my house/front view.jpg',
      `'${file}' `,
      `"${file}"`,
      file.replaceAll(' ', '\\ '),
      `file://${file.replaceAll(' ', '%20')}`,
    ])
      expect(rule(typed)).toEqual(accepted);
    expect(rule("june's.jpg")).toEqual({ ok: true, value: "june's.jpg" });
    const url = 'https://example.com/june.jpg';
    expect(rule(url)).toEqual({ ok: true, value: url });
  });

  it('must be that of a file', async () => {
    const cwd = await folderOf({ 'photos/1.jpg': '' });
    await writeFile(path.join(cwd, 'june.jpg'), '');
    const rule = fileRule(cwd, cwd);
    expect(rule('nobody.jpg')).toEqual({ ok: false, fault: `no such file: ${path.join(cwd, 'nobody.jpg')}` });
    expect(rule('photos')).toEqual({ ok: false, fault: `not a file: ${path.join(cwd, 'photos')}` });
    expect(rule('a\0b')).toMatchObject({ ok: false });
  });
});
