/** A host of the photos of the small listing. */
import { EventEmitter, once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { AnyJson } from '../api/server/ask-server.ts';
import { SMALL_LISTING } from './program.ts';

/** Emits `asked` at each request. */
export class PhotoHost extends EventEmitter {
  /** Every answer waits for it. */
  hold: Promise<void> = Promise.resolve();
  /** Of every answer; without 200 there is no photo in it. */
  status = 200;
  url = '';
  /** Names of the photos, in the order in which they were asked for. */
  readonly names: string[] = [];
  /** The photo of this name, or null for a 404. */
  readPhoto = (name: string): Promise<Buffer | null> =>
    readFile(path.join(path.dirname(SMALL_LISTING), 'photos', name)).catch(() => null);

  readonly #server = createServer(async (request, response) => {
    const name = path.basename(new URL(request.url ?? '', 'http://photos').pathname);
    this.names.push(name);
    this.emit('asked');
    await this.hold;
    const photo = this.status === 200 ? await this.readPhoto(name) : null;
    response.writeHead(this.status === 200 && photo === null ? 404 : this.status).end(photo);
  });

  static async open(): Promise<PhotoHost> {
    const host = new PhotoHost();
    // A file whose tests are all skipped does not close it.
    host.#server.listen(0, '127.0.0.1').unref();
    await once(host.#server, 'listening');
    host.url = `http://127.0.0.1:${(host.#server.address() as AddressInfo).port}`;
    return host;
  }

  /** Lets every answer wait until the function that it returns is called. */
  pause(): () => void {
    let release = (): void => {};
    this.hold = new Promise((resolve) => {
      release = resolve;
    });
    return release;
  }

  /** The small listing, with the photos of this host. */
  async listing(): Promise<AnyJson> {
    const listing: AnyJson = JSON.parse(await readFile(SMALL_LISTING, 'utf8'));
    for (const asset of listing.assets) asset.url = `${this.url}/${path.basename(asset.url)}`;
    return listing;
  }

  close(): void {
    this.#server.close();
  }
}
