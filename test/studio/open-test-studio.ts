/** The real studio server of a small listing in a folder of its own, with photos instead of the renderer. */
import { createHash } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Studio, type StudioOptions } from '../../src/studio/editor/studio.ts';
import { startStudioServer } from '../../src/studio/editor/studio-server.ts';
import { PhotoStage } from './photo-stage.ts';

const FIXTURES = fileURLToPath(new URL('../../fixtures', import.meta.url));
const PHOTOS = ['01-front', '03-entry', '04-living-room', '06-kitchen', '08-dining', '11-bathroom'];

export interface TestStudio {
  /** With the token. */
  readonly url: string;
  readonly folder: string;
  readonly stage: PhotoStage;
  /** Files that were to be shown in their folder. */
  readonly shown: readonly string[];
  /** The listing as it is in the file. */
  read(): Promise<TestListing>;
  write(listing: object): Promise<void>;
  /** As Ctrl-C. */
  stop(): Promise<void>;
  startAgain(): Promise<void>;
  close(): Promise<void>;
}

export interface TestListing {
  readonly assets: readonly { readonly url: string; readonly caption?: string }[];
  readonly agents: readonly {
    readonly video_options?: { readonly template_data?: Readonly<Record<string, string>> };
  }[];
  readonly [field: string]: unknown;
}

/** @param remembered - Of the listing, by an earlier studio. */
export async function openTestStudio(
  engine: StudioOptions['engine'],
  problems: Record<string, string> = {},
  remembered: object = {},
): Promise<TestStudio> {
  const folder = await mkdtemp(path.join(tmpdir(), 'listing-video-studio-page-'));
  await mkdir(path.join(folder, 'photos'));
  await Promise.all(
    PHOTOS.map((name) =>
      copyFile(path.join(FIXTURES, 'photos', `${name}.jpg`), path.join(folder, 'photos', `${name}.jpg`)),
    ),
  );
  const listingFile = path.join(folder, 'listing.json');
  const sample = JSON.parse(await readFile(path.join(FIXTURES, 'listing.json'), 'utf8')) as TestListing;
  const write = (listing: object) => writeFile(listingFile, `${JSON.stringify(listing, null, 2)}\n`);
  await write({
    ...sample,
    assets: PHOTOS.map((name) => ({ url: `photos/${name}.jpg`, type: 'image' })),
    agents: sample.agents.slice(0, 2).map((agent, index) => ({
      ...agent,
      video_options: {
        ratio: index === 0 ? '1920:1080' : '1080:1920',
        template_id: 'classic',
        ...(index === 0 ? { template_data: { caption_03: 'Oak and stone' } } : {}),
      },
    })),
  });
  const home = path.join(folder, '.home');
  const file = createHash('sha256').update(listingFile).digest('hex').slice(0, 32);
  await mkdir(path.join(home, 'studio'), { recursive: true });
  await writeFile(path.join(home, 'studio', `${file}.json`), JSON.stringify(remembered));
  const shown: string[] = [];
  let stage: PhotoStage | undefined;
  const start = async () => {
    const studio = await Studio.open({
      listingFile,
      home,
      showFile: (name) => shown.push(name),
      out: path.join(folder, 'out'),
      openStage: async (onChange) => {
        stage = new PhotoStage(folder, onChange, problems);
        return stage;
      },
      checkFile: async (bytes) => (bytes.length < 100 ? 'the file is not an image' : null),
      nowMs: Date.now,
      warn: (message, error) => {
        throw new Error(message, { cause: error });
      },
      taskOptions: {} as StudioOptions['taskOptions'],
      engine,
    });
    const server = await startStudioServer({
      studio,
      port: 0,
      onFault: (error) => {
        throw error;
      },
    });
    const stop = async () => {
      await server.close();
      await studio.close();
    };
    return { url: server.url, stop };
  };
  let running = await start();
  return {
    url: running.url,
    stop: () => running.stop(),
    async startAgain() {
      running = await start();
    },
    folder,
    stage: stage!,
    shown,
    read: async () => JSON.parse(await readFile(listingFile, 'utf8')) as TestListing,
    write,
    async close() {
      await running.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
