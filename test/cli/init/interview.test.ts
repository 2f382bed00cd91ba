/** Answers that are not asked for twice, also when they outlive the program, and names of files as people type them. */
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { checkAnswers } from '../../../src/cli/init/check-answers.ts';
import { describePhotos } from '../../../src/cli/init/describe-photos.ts';
import { readDraft, writeDraft } from '../../../src/cli/init/draft.ts';
import { type Interview, openInterview, type SavedAnswers } from '../../../src/cli/init/interview.ts';
import {
  fileRule,
  licenseRule,
  optional,
  required,
  validateCount,
  validatePrice,
  validateState,
} from '../../../src/cli/init/validate-answer.ts';
import { createPrompter, GoBack, type Prompter } from '../../../src/cli/terminal/prompter.ts';
import { createTerminal } from '../../../src/cli/terminal/terminal.ts';
import { folderOf } from '../listing-files.ts';

const ESC = Symbol('Esc');

/** Answers each question with the next entry of the script. */
function scripted(script: readonly (string | boolean | string[] | symbol)[]) {
  const asked: string[] = [];
  const left = [...script];
  const next = <T>(message: string, preset: string | boolean | readonly string[] = ''): T => {
    asked.push(preset.toString() === '' ? message : `${message} (${preset})`);
    const answer = left.shift();
    if (answer === ESC) throw new GoBack();
    return answer as T;
  };
  const prompter: Prompter = {
    text: async (message, preset) => next(message, preset),
    yesNo: async (message, preset) => next(message, preset || ''),
    choose: async ({ message, preset }) => next(message, preset),
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

describe('answers that are checked', () => {
  const check = (prompter: Prompter, saved: SavedAnswers, kept: object[] = []) =>
    checkAnswers({
      prompter,
      saved,
      onAnswer: async (answers) => void kept.push({ ...answers }),
      gather,
      onAgain: () => {},
      end: async (_, gathered) => gathered,
    });
  const saved = { street: '1 Main St', bedrooms: '3', more: 'yes', plans: 'a.jpg\nc.jpg' };

  it('can be changed one by one, where Enter keeps what there is', async () => {
    const shown: string[] = [];
    const { asked, prompter } = scripted([['bedrooms'], '4', ['plans'], ['b.jpg'], ['']]);
    const watched: Prompter = {
      ...prompter,
      choose: (question) => {
        if (question.message.startsWith('Check')) shown.push(question.choices.map(({ name }) => name).join());
        return prompter.choose(question);
      },
    };
    const kept: object[] = [];
    expect(await check(watched, saved, kept)).toEqual(['1 Main St', 4, true, ['b.jpg']]);
    const question = 'Check your answers. Choose one to change it';
    expect(asked).toEqual([question, 'Bedrooms (3)', question, 'Plans? (a.jpg,c.jpg)', question]);
    expect(shown[1]).toBe('All right,Street: 1 Main St,Bedrooms: 4,More? Yes,Plans? a.jpg, c.jpg');
    expect(kept.at(-1)).toEqual({ ...saved, bedrooms: '4', plans: 'b.jpg' });
  });

  it('are asked again one by one with Esc, from there on to where it was pressed', async () => {
    const { asked, prompter } = scripted([
      ...['1 Main St', '3', ESC, ESC, '2 Elm St', '4', true],
      ...[['b.jpg'], ['']],
    ]);
    expect(await check(prompter, {})).toEqual(['2 Elm St', 4, true, ['b.jpg']]);
    const back = ['Bedrooms (3)', 'Street (1 Main St)', 'Bedrooms (3)'];
    expect(asked.slice(2, -3)).toEqual(['More?', ...back]);
  });
});

it.each([
  ['Californa', validateState, 'California', 'CA'],
  ['1.25m', validatePrice, '$1,250,000', '1250000'],
  ['1,25m', validatePrice, '$1,250,000', '1250000'],
  ['950k', validatePrice, '$950,000', '950000'],
  ['Californa 0123', licenseRule(null), 'California 0123', { number: '0123', state: 'CA' }],
])('asks at %s whether something else was meant', async (typed, rule, words, value) => {
  const question = { key: 'x', flag: '--x', message: 'X', rule: optional<unknown>(rule) };
  const { asked, prompter } = scripted([typed, true]);
  expect(await openInterview(prompter, {}, async () => {}).text(question)).toEqual(value);
  expect(asked).toEqual(['X', `Did you mean ${words}? (true)`]);
  const kept = scripted([typed, false]);
  const ask = openInterview(kept.prompter, {}, async () => {});
  await ask.text(question);
  expect(ask.answered).toEqual([{ key: 'x', message: 'X', answer: typed }]);
});

describe('a prompter', () => {
  async function open(rows: number) {
    const [stdin, stderr] = [new PassThrough(), Object.assign(new PassThrough(), { isTTY: true, rows })];
    const terminal = createTerminal({ stdin, stderr, stdout: new PassThrough(), env: {} });
    const prompter = await createPrompter(terminal, new AbortController().signal, 'stopped', true);
    const choices = Array.from({ length: 21 }, (_, index) => ({ value: `${index}`, name: `${index}.jpg` }));
    const asked = prompter.choose({ message: 'Which?', choices, preset: ['0'] });
    return { stdin, stderr, asked };
  }

  it.each([
    [12, /7 of 21, more with ↑↓, ⏎ select/],
    [40, /↑↓ navigate, ⏎ select/],
  ])('says in %i rows how much of a list is shown, and rejects at Esc', async (rows, help) => {
    const { stdin, stderr, asked } = await open(rows);
    stdin.emit('keypress', '', { name: 'escape' });
    await expect(asked).rejects.toBeInstanceOf(GoBack);
    expect(String(stderr.read())).toMatch(help);
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
    'floor plans': '/h/2.jpg',
    high: '/h/3.jpg',
    low: '',
  };
  const given = { altered: ['4.jpg'], floorPlan: ['5.jpg'] };
  const ask = openInterview(prompter, saved, async () => {});
  const { assets } = await describePhotos(
    ask,
    { files: photos, floorPlans: [] },
    { given, cwd: '/h', folder: '/h' },
  );
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
