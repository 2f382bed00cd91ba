/**
 * The guides of `listing-video help`: there is one for each topic, it reads well in a terminal, and its links lead
 * somewhere.
 */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Chalk } from 'chalk';
import { describe, expect, it } from 'vitest';
import { formatGuide } from '../../src/cli/format-guide.ts';
import { HELP_WORDS, TOPICS } from '../../src/cli/help-topics.ts';
import { displayWidth } from '../../src/cli/terminal/display-width.ts';
import { run } from './run-cli.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDER = path.join(ROOT, 'src', 'cli', 'help');
const plain = new Chalk({ level: 0 });

async function help(words: readonly string[], columns = 80, isTty = true): Promise<string> {
  const { exitCode, stdout, stderr } = await run(['help', ...words], {
    columns,
    isTty,
  });
  expect([exitCode, stderr]).toEqual([0, '']);
  return stdout;
}

describe('help', () => {
  it('lists every topic, and there is a guide for each', async () => {
    const text = await help([]);
    for (const [topic, about] of Object.entries(TOPICS))
      expect(text).toMatch(new RegExp(`${topic} +${about}`));
    const guides = (await readdir(FOLDER)).filter((file) => file.endsWith('.md'));
    for (const guide of guides)
      expect(await readFile(path.join(FOLDER, guide), 'utf8')).not.toMatch(/^(<{7}|={7}|>{7})/m);
    expect(guides.sort()).toEqual(
      Object.keys(TOPICS)
        .map((topic) => `${topic}.md`)
        .sort(),
    );
  });

  it.each(Object.keys(HELP_WORDS))('%s fits a terminal, commands aside', async (topic) => {
    for (const columns of [100, 80, 40]) {
      const text = await help([topic], columns);
      // The options of a command of the same name follow; examples there are not broken.
      const lines = text.split('\nUsage: ')[0]!.split('\n');
      const tooLong = lines.filter((line) => !line.startsWith('    ') && displayWidth(line) > columns);
      expect(tooLong).toEqual([]);
    }
    // A pipe has no colours and no escapes.
    expect(await help([topic], 80, false)).not.toContain('\u001b');
  });

  it('of a web page is a guide, also in other words', async () => {
    const guide = await help(['web'], 80, false);
    expect(guide).toMatch(/^Videos on a web page\n[\s\S]*<video [^>]*poster=/);
    expect(await help(['web', 'page'], 80, false)).toBe(guide);
  });

  it('of a name that is both prints the guide and the options', async () => {
    expect(await help(['serve'])).toMatch(/THE SERVER[\s\S]*\nUsage: listing-video serve/);
    expect(await help(['batch'])).not.toContain('Usage:');
  });

  it.each([
    ['privacy', /^Privacy\n[\s\S]*listing-video cache clear/],
    ['youtube', /^YouTube\n/],
    ['square', /^Square videos\n[\s\S]*not offered/],
    ['voice', /^Voice-over\n[\s\S]*makes no synthetic voice/],
    ['cost', /^Cost\n[\s\S]*MIT license/],
    ['15s', /^How long the video is\n[\s\S]*10s/],
    ['altered', /^Altered photos\n[\s\S]*10140\.8/],
    ['mls', /^Straight from the MLS\n[\s\S]*--token-env MLS_TOKEN[\s\S]*--since last/],
    ['music rights', /^Rights to the music/],
    ['music-rights', /^Rights to the music\n[\s\S]*MIT license/],
  ])('%s prints one section of a guide', async (word, expected) => {
    const text = await help(word.split(' '), 80, false);
    expect(text).toMatch(expected);
    expect(text.match(/^=+$/gm)).toHaveLength(1);
  });

  it('of a misspelled question names it', async () => {
    const { exitCode, stderr } = await run('help privcy');
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('did you mean privacy?')]);
  });

  it('of a command is what its --help prints', async () => {
    const { stdout } = await run('tasks list --help');
    expect(await help(['tasks', 'list'])).toBe(stdout);
  });
});

describe('a guide in a terminal', () => {
  const format = (markdown: string, width = 40) => formatGuide(markdown, width, plain).split('\n');

  it('breaks sentences, and no command', () => {
    const command = `listing-video create ${'x'.repeat(40)}`;
    expect(format(`One sentence that is longer than a narrow line.\n\n\`\`\`sh\n${command}\n\`\`\``)).toEqual(
      ['One sentence that is longer than a', 'narrow line.', '', `    ${command}`],
    );
  });

  it('hangs the lines of an item under its text', () => {
    expect(format('- a rather long item that is broken just one time\n- `-` reads stdin')).toEqual([
      '- a rather long item that is broken just',
      '  one time',
      '- `-` reads stdin',
    ]);
  });

  it('breaks the cells of a table, and makes it a list where there is no room', () => {
    const table = '| a | b |\n|---|---|\n| first | a cell with some more words |';
    expect(format(table, 30)).toEqual([
      'a      b',
      '-----  -----------------------',
      'first  a cell with some more',
      '       words',
    ]);
    expect(format(table, 20)).toEqual(['first', '    a cell with some', '    more words']);
  });

  it('names other guides by their command, and files by their place in the package', () => {
    expect(format('See [Batches](batch.md) and [the format](../../../templates/README.md).', 200)).toEqual([
      'See Batches (`listing-video help batch`) and the format (templates/README.md).',
    ]);
  });
});

describe('the page', () => {
  const pages = ['README.md', 'CHANGELOG.md', '.github/CONTRIBUTING.md', '.github/SECURITY.md'];
  const guides = Object.keys(TOPICS).map((topic) => `src/cli/help/${topic}.md`);

  it.each([...pages, ...guides, 'test/bench/README.md'])(
    '%s is whole, and its links lead to files',
    async (page) => {
      const text = await readFile(path.join(ROOT, page), 'utf8');
      // Other tools skip what a stopped merge leaves in Markdown.
      expect(text).not.toMatch(/^(?:<{7} |={7}$|>{7} )/m);
      const links = [...text.matchAll(/\]\(([^)#]+)/g)].map(([, link]) => link!);
      const dead = links.filter(
        (link) => !/^https?:/.test(link) && !existsSync(path.join(ROOT, path.dirname(page), link)),
      );
      expect(dead).toEqual([]);
    },
  );
});
