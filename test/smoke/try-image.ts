/** The image, unpacked: as the user and with the settings that it names, in a root that is read-only. */
import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { letThrough } from '../let-through.ts';
import { LocalServer } from '../task/postgres/local-server.ts';
import { hasSwift, LocalSwift } from '../video/bucket/local-swift.ts';
import { inRoot, makePackage } from './other-root.ts';
import { check, type Installed, renderThrough, run, start, tryComplete } from './try-cell.ts';

const execute = promisify(execFile);

/** @param folder - Empty. @throws Error when a step fails. */
export async function tryImage(folder: string): Promise<void> {
  const [layout, root, work] = ['layout', 'root', 'work'].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
  ];
  const file = await makePackage('image-amd64', folder);
  for (const each of [layout, root, work]) await mkdir(each);
  await execute('tar', ['-xf', file, '-C', layout]);
  const readJson = async (place: string) => JSON.parse(await readFile(path.join(layout, place), 'utf8'));
  const read = ({ digest }: { digest: string }) => path.join('blobs', digest.replace(':', '/'));
  const manifest = await readJson(read((await readJson('index.json')).manifests[0]));
  for (const layer of manifest.layers)
    await execute('tar', ['-xzf', path.join(layout, read(layer)), '-C', root]);
  const { config } = await readJson(read(manifest.config));
  const env = Object.fromEntries(config.Env.map((line: string) => line.split(/=(.*)/s).slice(0, 2)));
  const uid = Number(config.User.split(':')[0]);
  // The network is this machine's.
  env.LISTING_VIDEO_HOST = '127.0.0.1';
  const installed = await inRoot(root, { folder: work, uid, access: 'ro', env });
  await tryComplete(installed);
  await tryWorker(installed, folder);
}

/** A server that renders nothing, and a worker, over one database and one bucket. */
export async function tryWorker(installed: Installed, folder: string): Promise<void> {
  if (!hasSwift()) return;
  const [postgres, swift] = [path.join(folder, 'postgres'), path.join(folder, 'swift')];
  for (const each of [postgres, swift]) await mkdir(each);
  // Both run as users of their own, who come through to their folders.
  letThrough(path.dirname(folder));
  const [database, bucket] = [new LocalServer(postgres), new LocalSwift(swift)];
  const running: ReturnType<typeof start>[] = [];
  try {
    await Promise.all([database.make(), bucket.start()]);
    const storage = 's3://videos/smoke';
    await bucket.makeBucket(storage);
    const env = { ...bucket.env, LISTING_VIDEO_DATABASE: database.url, LISTING_VIDEO_STORAGE: storage };
    const shared = { ...installed, env: { ...installed.env, ...env } };
    const migrated = await run(shared, ['database', 'migrate']);
    check(migrated.exitCode === 0, 'database migrate', migrated);
    const server = start(shared, ['serve', '--no-render', '--port', '0', '--quality', 'draft']);
    const worker = start(shared, ['worker', '--port', '0', '--allow-assets-from', '127.0.0.1']);
    running.push(server, worker);
    const url = await server.says(/listening on (http:\S+)/);
    const health = await fetch(`${await worker.says(/listening on (http:\S+)/)}/healthz`);
    if (!health.ok) throw new Error(`worker: /healthz answers ${health.status}`);
    await renderThrough(url, installed.folder);
  } finally {
    for (const { child } of running) child.kill('SIGTERM');
    await Promise.all(running.map(({ finished }) => finished));
    await Promise.all([database.stop(), bucket.stop()]);
  }
}
