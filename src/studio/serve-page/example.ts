/**
 * Serves the example listing of the page. A development server serves its photos too, so that the example becomes a
 * video there. Every other server fetches no photos from its own machine: the example then has addresses that stand for
 * others.
 */
import { readFile } from 'node:fs/promises';
import { Hono } from 'hono';
import { nullOn } from '../../platform/errors.ts';
import { codeFile, packageFile } from '../../platform/program-files.ts';

export interface ExampleOptions {
  /** Absolute, without a slash at the end. */
  readonly publicUrl: () => string;
  /** The server runs in development and renders itself: it can then fetch photos from itself. */
  readonly canFetchItself: () => Promise<boolean>;
}

/** Folder of the example below the page. */
const EXAMPLE_PATH = '/page/example';

/** What the addresses of the photos in the file start with. */
const PUBLIC_FOLDER = 'https://example.com/photos';

/** The only files that can be read here: photos of the sample listing, by their names in the example. */
const PHOTOS: ReadonlyMap<string, string> = new Map([
  ['front.jpg', '01-front.jpg'],
  ['living-room.jpg', '04-living-room.jpg'],
  ['kitchen.jpg', '06-kitchen.jpg'],
  ['bedroom.jpg', '09-primary-bedroom.jpg'],
  ['garden.jpg', '14-backyard-pool.jpg'],
]);

/** A hono app with the example's routes below `/page`, to be mounted at `/`. */
export function createExampleApp({ publicUrl, canFetchItself }: ExampleOptions): Hono {
  const app = new Hono();
  // Without its database a server does not know whether it has keys.
  const hasPhotos = async () => (await canFetchItself().catch(nullOn('database_unavailable'))) === true;

  app.get(`${EXAMPLE_PATH}/listing.json`, async () => {
    const text = await readFile(codeFile('studio/serve-page/example-listing.json'), 'utf8');
    const folder = JSON.stringify(`${publicUrl()}${EXAMPLE_PATH}`).slice(1, -1);
    const listing = (await hasPhotos()) ? text.replaceAll(PUBLIC_FOLDER, () => folder) : text;
    return new Response(listing, {
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    });
  });

  app.get(`${EXAMPLE_PATH}/:photo`, async (context, next) => {
    const file = PHOTOS.get(context.req.param('photo'));
    if (file === undefined || !(await hasPhotos())) return next();
    const bytes = new Uint8Array(await readFile(packageFile(`fixtures/photos/${file}`)));
    return new Response(bytes, { headers: { 'content-type': 'image/jpeg', 'cache-control': 'no-store' } });
  });
  return app;
}
