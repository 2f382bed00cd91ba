/** Questions that can be taken back, and answers that outlive the program. */
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readDraft, removeDraft, writeDraft } from '../../../src/cli/init/draft-file.ts';
import { conductInterview, type Interview, type SavedAnswer } from '../../../src/cli/init/interview.ts';
import { fileRule } from '../../../src/cli/init/local-file.ts';
import { type Prompter, WentBack } from '../../../src/cli/init/prompter.ts';
import { optional, textRule, validateCount } from '../../../src/cli/init/validate-answer.ts';
import { folderOf } from '../listing-files.ts';

const BACK: unique symbol = Symbol('back');

/** Answers each question with the next script entry; `null` takes the default. */
function scripted(script: readonly (SavedAnswer | null | typeof BACK)[]) {
  const asked: string[] = [];
  const left = [...script];
  const next = <T>(message: string, preset: T): T => {
    asked.push(`${message} (${String(preset)})`);
    const answer = left.shift();
    if (answer === BACK) throw new WentBack();
    return (answer ?? preset) as T;
  };
  const prompter: Prompter = {
    text: async ({ message, defaultText }) => next(message, defaultText),
    choice: async (message, _, preset) => next(message, preset),
    yesNo: async (message, preset) => next(message, preset),
    order: async ({ message, order }) => next(message, order),
  };
  return { asked, prompter };
}

const text = (ask: Interview, key: string, rule = optional(textRule('a text'))) =>
  ask.text({ key, flag: `--${key}`, given: undefined, message: key, rule });

function start<T>(
  script: Parameters<typeof scripted>[0],
  gather: (ask: Interview) => Promise<T>,
  saved: readonly [string, SavedAnswer][] = [],
) {
  const { asked, prompter } = scripted(script);
  const screen: string[] = [];
  let kept: [string, SavedAnswer][] = [];
  const result = conductInterview(
    {
      prompter,
      saved: new Map(saved),
      onAnswer: async (answers) => {
        kept = [...answers];
      },
      show: (message, answer) => screen.push(`${message}: ${answer}`),
      unshow: () => screen.pop(),
    },
    gather,
  );
  return result.then((value) => ({ value, asked, screen, kept }));
}

describe('an interview', () => {
  const address = async (ask: Interview) => {
    const street = await text(ask, 'street');
    const city = street === null ? null : await text(ask, 'city');
    return { street, city, hasPool: await ask.yesNo('pool', 'pool', false) };
  };

  it('goes back to the question before, which offers the earlier answer', async () => {
    const { value, asked, screen } = await start(['1 Main St', 'Porland', BACK, 'Portland', null], address);
    expect(value).toEqual({ street: '1 Main St', city: 'Portland', hasPool: false });
    expect(asked).toEqual(['street ()', 'city ()', 'pool (false)', 'city (Porland)', 'pool (false)']);
    expect(screen).toEqual(['street: 1 Main St', 'city: Portland', 'pool: No']);
  });

  it('asks again what depends on an answer that was taken back', async () => {
    const { value, asked } = await start(['1 Main St', BACK, '', true], address);
    expect(value).toEqual({ street: null, city: null, hasPool: true });
    expect(asked).toEqual(['street ()', 'city ()', 'street (1 Main St)', 'pool (false)']);
  });

  it('stays at the first question when there is none before', async () => {
    const { asked } = await start([BACK, 'a', 'b', null], address);
    expect(asked).toEqual(['street ()', 'street ()', 'city ()', 'pool (false)']);
  });

  it('takes saved answers, and asks again where one is no longer valid', async () => {
    const saved: [string, SavedAnswer][] = [
      ['beds', '3'],
      ['baths', 'two'],
      ['gone', 'unused'],
    ];
    const { value, asked, screen } = await start(
      ['2'],
      async (ask) => [
        await text(ask, 'beds', optional(validateCount) as never),
        await text(ask, 'baths', optional(validateCount) as never),
      ],
      saved,
    );
    expect(value).toEqual([3, 2]);
    expect(asked).toEqual(['baths ()']);
    expect(screen).toEqual(['beds: 3', 'baths: 2']);
  });

  it('orders by names, so that a saved order fails when the folder has changed', async () => {
    const gather = (names: readonly string[]) => (ask: Interview) =>
      ask.order('order', {
        ...{ message: 'order', names, least: 1, most: 9 },
        order: { sequence: names.map((_, index) => index + 1), left: new Set() },
      });
    const names = ['a.jpg', 'b.jpg', 'c.jpg'];
    const chosen = { sequence: [3, 1, 2], left: new Set([2]) };
    const first = await start([chosen as never], gather(names));
    expect(first.kept).toEqual([['order', { sequence: ['c.jpg', 'a.jpg', 'b.jpg'], left: ['b.jpg'] }]]);
    expect(first.screen).toEqual(['order: 2, c.jpg first']);
    expect((await start([], gather(names), first.kept)).value).toEqual(chosen);
    expect((await start([null], gather([...names, 'd.jpg']), first.kept)).asked).toHaveLength(1);
  });
});

describe('a draft', () => {
  it('keeps answers of every kind', async () => {
    const file = path.join(await folderOf(), 'new', 'listing.json.draft');
    const answers = new Map<string, SavedAnswer>([
      ['street', '1 Main St'],
      ['pool', true],
      ['order', { sequence: ['b', 'a'], left: [] }],
    ]);
    expect(await writeDraft(file, answers)).toBe(true);
    expect([...(await readDraft(file))]).toEqual([...answers]);
    await removeDraft(file);
    expect(await readdir(path.dirname(file))).toEqual([]);
    expect((await readDraft(file)).size).toBe(0);
  });

  it.each([
    ['no JSON', 'mine'],
    ['another version', '{"version":2,"answers":[["street","x"]]}'],
    ['no answers', '{"version":1}'],
    ['null', 'null'],
  ])('is ignored when it is %s', async (_, content) => {
    const file = path.join(await folderOf({ draft: content }), 'draft');
    expect((await readDraft(file)).size).toBe(0);
  });

  it('leaves out entries of another form', async () => {
    const answers = [['street', 'x'], ['n', 3], 'x', [1, 'y'], ['order', { sequence: [1], left: [] }]];
    const file = path.join(await folderOf({ draft: { version: 1, answers } }), 'draft');
    expect([...(await readDraft(file))]).toEqual([['street', 'x']]);
  });
});

describe('the name of a file', () => {
  it('is understood as terminals write it when a file is dragged into them', async () => {
    const cwd = await folderOf({ 'my house/front view.jpg': '', "june's.jpg": '' });
    const file = path.join(cwd, 'my house', 'front view.jpg');
    const rule = fileRule(cwd);
    const accepted = { ok: true, value: file };
    expect(rule('my house/front view.jpg')).toMatchObject(accepted);
    expect(rule(`'${file}' `)).toMatchObject(accepted);
    expect(rule(`"${file}"`)).toMatchObject(accepted);
    expect(rule(file.replaceAll(' ', '\\ '))).toMatchObject(accepted);
    expect(rule(`file://${file.replaceAll(' ', '%20')}`)).toMatchObject(accepted);
    expect(rule("june's.jpg")).toMatchObject({ ok: true, value: path.join(cwd, "june's.jpg") });
    expect(rule('https://example.com/june.jpg')).toMatchObject({
      ok: true,
      value: 'https://example.com/june.jpg',
    });
  });

  it('must be that of a file', async () => {
    const cwd = await folderOf({ 'photos/1.jpg': '' });
    await writeFile(path.join(cwd, 'june.jpg'), '');
    const rule = fileRule(cwd);
    expect(rule('nobody.jpg')).toEqual({ ok: false, fault: `no such file: ${path.join(cwd, 'nobody.jpg')}` });
    expect(rule('photos')).toEqual({ ok: false, fault: `not a file: ${path.join(cwd, 'photos')}` });
    expect(rule('a\0b')).toMatchObject({ ok: false });
  });
});
