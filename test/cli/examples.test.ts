/**
 * Every example of every help, and every command line of README and the guides, is run: its words as bash reads them,
 * in a folder that has what it names, over stores in memory and a handler that renders nothing. What an example needs
 * of the network, a terminal or another program is run elsewhere, as said below.
 */
import { spawnSync } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { examplesOf } from '../../src/cli/define-command.ts';
import { TOPICS } from '../../src/cli/help-topics.ts';
import { allCommands, buildProgram } from '../../src/cli/program.ts';
import { validateListing } from '../../src/listing/rules/validate-listing.ts';
import type { AccountStore } from '../../src/task/accounts/account-store.ts';
import { temporaryFolder } from '../leftovers/temporary-folder.ts';
import { createTestAccounts } from '../task/accounts/test-accounts.ts';
import { createMemoryTaskStore } from '../task/memory-task-store.ts';
import { aPayload } from '../video/a-payload.ts';
import { photoUrls, property } from './import/import-run.ts';
import { folderOf, listing } from './listing-files.ts';
import { engineOver, type FakeWorld, outcomeOf, run, testWebhooks } from './run-cli.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const readPage = (file: string) => readFile(path.join(ROOT, file), 'utf8');
const MANY_MACHINES = await readPage('src/cli/help/many-machines.md');
const LISTING_GUIDE = await readPage('src/cli/help/listing.md');
const PAGES = await Promise.all([
  readPage('README.md'),
  ...Object.keys(TOPICS).map((topic) => readPage(`src/cli/help/${topic}.md`)),
]);

const nothing = (): void => undefined;
const program = buildProgram('1.0.0', async () => undefined, {
  ...{ out: nothing, err: nothing, onUsageError: nothing },
  columns: () => 80,
});
const OF_HELP = allCommands(program).flatMap((command) => examplesOf(command).map(([line]) => line));
/** A line that goes on in the next is one. */
const SHELL_BLOCKS = PAGES.flatMap((page) => [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)]).map(
  ([, block]) => block!.replace(/\\\n */g, ''),
);
const OF_PAGES = [
  ...PAGES.flatMap((page) => [...page.matchAll(/`(listing-video [^`]+)`/g)]).map(([, line]) => line!),
  ...SHELL_BLOCKS.flatMap((block) => [
    ...block.matchAll(/^(?:npm ci && )?(?:npx )?(listing-video .*)$/gm),
  ]).map(([, line]) => line!),
];
const EXAMPLES = [...new Set([...OF_HELP, ...OF_PAGES])];

const FILES = {
  'listing.json': listing('one'),
  'listings/a.json': listing('a'),
  'listings/b.json': listing('b'),
  'listings/c.json': listing('c'),
  'more/d.json': listing('d'),
  'drafts/e.json': listing('e'),
  'listings.ndjson': `${JSON.stringify(listing('f'))}\n${JSON.stringify(listing('g'))}\n`,
  'new.ndjson': `${JSON.stringify(listing('h'))}\n`,
  'property.json': property(),
  'listings.csv': `MLS #,Agent,Photos,Size\nA-1,Ann Lee,${photoUrls(5)},1804\n`,
  'columns.json': { Size: 'LivingArea' },
};

/** The words of all examples, and what each reads on stdin: bash does the quotes, globs and redirections. */
function readByBash(lines: readonly string[], cwd: string): { words: string[]; stdin: string }[] {
  const tell =
    'listing-video() { printf "%s\\0" "$@"; printf "\\1"; [ -p /dev/stdin ] || cat; printf "\\2"; }';
  const script = [tell, ...lines.map((line) => (line.includes(' < ') ? line : `: | ${line}`))].join('\n');
  const { status, stdout, stderr } = spawnSync('bash', ['-e', '-c', script], { cwd, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  return stdout
    .split('\u0002')
    .slice(0, -1)
    .map((told) => {
      const [words = '', stdin = ''] = told.split('\u0001');
      return { words: words.split('\0').slice(0, -1), stdin };
    });
}

/** One process for all: each start of bash and of what it calls costs CPU. */
let read: ReadonlyMap<string, { words: string[]; stdin: string }>;
beforeAll(async () => {
  const all = readByBash(EXAMPLES, await folderOfExample());
  read = new Map(EXAMPLES.map((line, index) => [line, all[index]!]));
});

/** A folder that has what examples name. */
async function folderOfExample(): Promise<string> {
  const cwd = await folderOf(FILES);
  await cp(path.join(ROOT, 'fixtures', 'small', 'photos'), path.join(cwd, 'photos'), { recursive: true });
  await cp(path.join(ROOT, 'fixtures', 'listing.json'), path.join(cwd, 'fixtures', 'listing.json'));
  await cp(path.join(ROOT, 'templates', 'soundtracks', 'social-end.m4a'), path.join(cwd, 'our-song.mp3'));
  return cwd;
}

/** A home with the tasks, organizations and keys that examples are about. */
async function openHome(line: string) {
  const store = createMemoryTaskStore();
  const home = temporaryFolder();
  const accounts: AccountStore = createTestAccounts({ tasks: store, home });
  const engine = engineOver(store, async (task) => {
    if (/retry|FAILED/.test(line)) throw new Error('once');
    return outcomeOf(task.payload);
  });
  const payload = aPayload(listing(), '/videos/L-1');
  const { id } = await engine.submit({ origin: 'cli', organizationId: null, payload });
  // What is to be cancelled must not have ended.
  if (!line.includes('cancel')) await engine.runTask(id);
  // Without this id an example is about a home with one organization.
  const organization = line.includes('org_0c1d2e3f40516273')
    ? await accounts.createOrganization({ name: 'Harbor Homes' })
    : await accounts.defaultOrganization();
  const key = await accounts.createKey({ organizationId: organization.id });
  const webhooks = testWebhooks(store, home);
  const webhook = await webhooks.createWebhook({
    organizationId: organization.id,
    url: 'https://example.com/webhooks/videos',
  });
  await webhooks.addDeliveries({
    ...(await store.get(id)),
    state: 'FAILED',
    organizationId: organization.id,
  });
  const { data: deliveries } = await webhooks.listDeliveries({ limit: 1 });
  const ids = {
    ...{ task: id, organization: organization.id, key: key.id, webhook: webhook.id },
    delivery: deliveries[0]!.id,
  };
  return { store, accounts, webhooks, ids };
}

/** The world of an example, and its words with ids that this world has. */
async function prepare(line: string): Promise<{ words: string[]; world: FakeWorld }> {
  const cwd = await folderOfExample();
  const { ids, store, accounts, webhooks } = await openHome(line);
  const { words, stdin } = read.get(line)!;
  // Those that `templates new` makes, but not where it is to make one.
  if (words[1] !== 'new') for (const id of ['plain', 'harbor']) await addTemplate(cwd, id);
  // It writes that file, as one who has none yet would have it.
  if (words[0] === 'init') await rm(path.join(cwd, 'listing.json'));
  const own = words.map((word) =>
    word
      .replace(/^ID$/, words[0] === 'templates' ? 'classic' : ids.task)
      .replace(/^(?:01934a5e-7c3b-7d2e-9f10-5b6c7d8e9f00)$/, ids.task)
      .replace(/^org_0c1d2e3f40516273$/, ids.organization)
      .replace(/^0c1d2e3f40516273$/, ids.key)
      .replace(/^wh_0c1d2e3f40516273$/, ids.webhook)
      .replace(/^dlv_01934a5e7c3b0c1d2e3f4051$/, ids.delivery)
      // Whatever ffmpeg is there; which one is what doctor's own tests are about.
      .replace('/opt/ffmpeg/bin/ffmpeg', path.join(cwd, 'ffmpeg')),
  );
  const openService: FakeWorld['openService'] = async () => ({
    start: async () => 'http://127.0.0.1:8080',
    stop: async () => undefined,
  });
  const openWorker: FakeWorld['openWorker'] = openService;
  const page = {
    url: 'http://127.0.0.1:49152/?token=x',
    urlToOpen: 'http://127.0.0.1:49152/?token=y',
    closed: new Promise<void>(() => {}),
    close: async () => undefined,
  };
  const openStart = async () => page;
  const openStudio = async () => ({ ...page, listingFile: path.join(cwd, 'listing.json'), first: null });
  const interrupt = new AbortController();
  // A server that listens is told to end at once; who watches, when there is nothing left to do but to wait.
  if (['serve', 'worker', 'studio', 'demo'].includes(own[0]!)) interrupt.abort();
  const delay = async (): Promise<void> => {
    if (own.includes('--watch')) interrupt.abort();
  };
  return {
    words: own,
    world: {
      ...{ cwd, stdin, store, accounts, webhooks, openService, openWorker, openStudio, openStart, delay },
      // The start page opens a browser also without a terminal.
      ...(own[0] === 'studio' && { env: { CI: 'true' } }),
      // The video that doctor makes is what its own tests are about.
      ...(own[0] === 'doctor' && !own.includes('--ffmpeg') && { env: { LISTING_VIDEO_RENDER: 'no' } }),
      interrupted: interrupt.signal,
      templateIds: ['classic', 'modern', 'luxury', 'harbor'],
    },
  };
}

async function addTemplate(cwd: string, id: string): Promise<void> {
  const text = await readFile(path.join(ROOT, 'templates', 'classic', 'template.json'), 'utf8');
  const folder = path.join(cwd, 'my-templates', id);
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'template.json'), text.replace('"id": "classic"', `"id": "${id}"`));
}

/** Without a terminal nobody can be asked; `terminal-sessions.test.ts` answers the wizard in one. */
const NEEDS_TERMINAL = [
  'listing-video ffmpeg install',
  'listing-video init',
  'listing-video init --photos photos --street "128 Harbor Pine Lane"',
];
/** What commands of a database say without one; `../postgres/` runs them with one. */
const NEEDS_DATABASE = /^listing-video (?:database|workers) /;
/** The same of a bucket; `../video/bucket/` has one. */
const NEEDS_BUCKET = /^listing-video storage /;
/** What `import` says without the token of the feed; `import/import-feed.test.ts` has feeds. */
const NEEDS_TOKEN = / --token-env MLS_TOKEN\b/;
/** The program of this name is not there: what doctor says then. */
const NOT_FIT = ['listing-video doctor --ffmpeg /opt/ffmpeg/bin/ffmpeg'];

describe('an example', () => {
  it.each(EXAMPLES)('%s', async (line) => {
    const { words, world } = await prepare(line);
    const { exitCode, stdout, stderr, json } = await run(words, world);
    const missing = NEEDS_TERMINAL.includes(line)
      ? 'terminal'
      : NEEDS_DATABASE.test(line)
        ? 'no database is set'
        : NEEDS_BUCKET.test(line)
          ? 'no bucket is set'
          : NEEDS_TOKEN.test(line)
            ? 'MLS_TOKEN is not set'
            : undefined;
    expect([exitCode, stderr.match(/^error: .*/m)?.[0]]).toEqual([
      missing !== undefined ? 2 : NOT_FIT.includes(line) ? 3 : 0,
      missing && expect.stringContaining(missing),
    ]);
    if (words.includes('--json')) expect(json()).toBeTypeOf('object');
    if (exitCode === 0 && words[0] !== 'config') expect(stdout + stderr).not.toBe('');
  });

  it('of a listing, as its guide has it, is valid', () => {
    const blocks = [...LISTING_GUIDE.matchAll(/^```json\n([\s\S]*?)^```$/gm)];
    // After the listing come single assets.
    const [whole, ...assets] = blocks.map(([, text = '']) => JSON.parse(text));
    const all = { ...whole, assets: [...whole.assets, ...assets] };
    expect(assets).not.toEqual([]);
    expect(validateListing(all, { allowLocalFiles: true })).toMatchObject({ ok: true, listing: all });
  });

  it('is run for each line of README and the guides that a shell would run', () => {
    // The guide to many machines sets machines up. It says how it was tried.
    const blocks = SHELL_BLOCKS.filter((block) => !MANY_MACHINES.includes(block));
    const others = blocks
      .flatMap((block) => block.trim().split('\n'))
      .filter((line) => !/^(?:npm ci && )?(?:npx )?listing-video /.test(line));
    expect(others.map((line) => line.split(' ')[0])).toEqual([
      // `npm ci && npm test` is this suite; `.ci/run` does it from a clean checkout.
      'npm',
      // The guide to CI notes the checksum of the package once.
      ...['npm', 'sha256sum'],
      // `../e2e/serve.test.ts` runs the requests of the guide to the server.
      ...['python3', 'sed', 'curl', '#', 'curl', '#', 'curl', '#'],
      ...['curl', ...Array<string>(7).fill('#')],
      ...['curl', '#'],
      // `../e2e/webhooks.test.ts` runs it.
      'WEBHOOK_SECRET=whsec_…',
      // `../e2e/backup.test.ts` runs these.
      ...['tar', 'tar', 'mkdir', 'tar', 'tar'],
      // `../postgres/backup-database.test.ts` runs these.
      ...['pg_dump', 'pg_restore'],
      // `../network/office.test.ts` sets proxies.
      ...['export', 'export'],
    ]);
  });
});
