/** `ffmpeg install`: what is shown before, what is installed, and what stays after a failure. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import {
  type FfmpegDownload,
  findDownload,
  shownUrl,
} from '../../../src/media/encode/ffmpeg/ffmpeg-package.ts';
import { findFfmpeg } from '../../../src/media/encode/ffmpeg/find-ffmpeg.ts';
import { installFfmpeg as install } from '../../../src/media/encode/ffmpeg/install-ffmpeg.ts';
import { type DownloadOptions, sizeOfDownload } from '../../../src/media/encode/ffmpeg/look-at-download.ts';
import { readProxies } from '../../../src/platform/network/proxies.ts';
import { proveRendering } from '../../../src/video/prove-rendering.ts';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';
import { startServer } from '../../media/assets/loopback-server.ts';
import { fakeFfmpegStatic, startDownloadHost } from '../../media/encode/fake-ffmpeg-static.ts';
import { answersOf, FFMPEG_5_1 } from '../../media/encode/ffmpeg-programs.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const thing of open.splice(0)) await thing.close();
});

const signal = new AbortController().signal;

const installFfmpeg = (download: FfmpegDownload, home: string, options: DownloadOptions) =>
  install(download, home, options, proveRendering);

/** A package, the host of its downloads, and an empty data folder. */
async function prepare(program: string, proxyUrl?: string) {
  const host = await startDownloadHost(Buffer.from(program));
  open.push(host);
  const env = { PATH: process.env.PATH, FFMPEG_BINARIES_URL: host.origin };
  const proxies = proxyUrl === undefined ? null : readProxies({ HTTP_PROXY: proxyUrl });
  const options = { env, proxies, signal };
  const home = temporaryFolder();
  return { host, env, options, home, packagesFrom: await fakeFfmpegStatic() };
}

/** A program that hands everything to a real ffmpeg. */
async function workingProgram(): Promise<string> {
  const { path: ffmpeg } = await findFfmpeg({ searchPath: process.env.PATH });
  return `#!/bin/sh\nexec "${ffmpeg}" "$@"\n`;
}

it('says what it would download, and installs it with its license once it has made a video', async () => {
  const program = await workingProgram();
  const { env, options, home, packagesFrom, host } = await prepare(program);
  const download = await findDownload(env, packagesFrom);
  expect(download).toMatchObject({ packageName: 'ffmpeg-static 5.3.0', license: 'GPL-3.0-or-later' });
  expect(download.url.href).toBe(`${host.origin}/b6.1.1/ffmpeg-${process.platform}-${process.arch}.gz`);
  expect(await sizeOfDownload(download, options)).toBeGreaterThan(20);
  const installed = await installFfmpeg(download, home, options);
  expect(installed).toMatchObject({ path: path.join(home, 'ffmpeg', 'ffmpeg'), sha256: expect.any(String) });
  expect(await readFile(installed.path, 'utf8')).toBe(program);
  expect((await readdir(path.join(home, 'ffmpeg'))).sort()).toEqual(['ffmpeg', 'ffmpeg.LICENSE', 'work']);
  expect(await readdir(path.join(home, 'ffmpeg', 'work'))).toEqual([]);
  const found = await findFfmpeg({ home, searchPath: process.env.PATH });
  expect(found).toMatchObject({ path: installed.path, source: 'ffmpeg install', version: installed.version });
});

it('keeps what was installed before when the new one cannot make a video', async () => {
  const liar = `#!/bin/sh\n${answersOf(FFMPEG_5_1)}\n`;
  const { env, options, home, packagesFrom } = await prepare(liar);
  await mkdir(path.join(home, 'ffmpeg'));
  await writeFile(path.join(home, 'ffmpeg', 'ffmpeg'), 'before');
  const download = await findDownload(env, packagesFrom);
  await expect(installFfmpeg(download, home, options)).rejects.toMatchObject({
    code: 'ffmpeg_not_installed',
    exitCode: 3,
    message: expect.stringContaining('cannot make a video'),
  });
  expect(await readFile(path.join(home, 'ffmpeg', 'ffmpeg'), 'utf8')).toBe('before');
  expect((await readdir(path.join(home, 'ffmpeg'))).sort()).toEqual(['ffmpeg', 'work']);
});

it('names the host that cannot be reached, and the ways out', async () => {
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(closed.address() as AddressInfo).port}`;
  await new Promise((resolve) => closed.close(resolve));
  const { options, home, packagesFrom } = await prepare('x');
  const env = { ...options.env, FFMPEG_BINARIES_URL: `http://${host}` };
  const download = await findDownload(env, packagesFrom);
  await expect(sizeOfDownload(download, { ...options, env })).rejects.toMatchObject({
    code: 'ffmpeg_not_installed',
    message: `ffmpeg was not installed: ${host} cannot be reached: connection refused`,
    hint: expect.stringMatching(/HTTPS_PROXY.*apt install ffmpeg.*--ffmpeg PATH/),
  });
  await expect(installFfmpeg(download, home, { ...options, env })).rejects.toMatchObject({
    code: 'ffmpeg_not_installed',
    message: expect.stringContaining(`the download from ${host} failed`),
  });
});

it('says when the host has no program for this machine, and when the package is not installed', async () => {
  const { options, packagesFrom } = await prepare('x');
  const env = { ...options.env, FFMPEG_BINARY_RELEASE: 'b0' };
  await expect(sizeOfDownload(await findDownload(env, packagesFrom), options)).rejects.toMatchObject({
    message: expect.stringContaining('answers with HTTP status 404'),
  });
  await expect(findDownload(env, path.join(temporaryFolder(), 'main.js'))).rejects.toMatchObject({
    code: 'ffmpeg_not_installed',
    hint: expect.stringContaining('npm install --ignore-scripts ffmpeg-static'),
  });
  await expect(findDownload({ FFMPEG_BINARIES_URL: 'mirror' }, packagesFrom)).rejects.toMatchObject({
    code: 'setting_invalid',
  });
});

it.each(['http://', 'file:///etc/passwd'])('follows no redirect to %s', async (location) => {
  const { options, packagesFrom } = await prepare('x');
  const host = await startServer({
    [`/b6.1.1/ffmpeg-${process.platform}-${process.arch}.gz`]: (response) =>
      void response.writeHead(302, { location }).end(),
  });
  open.push(host);
  const download = await findDownload({ FFMPEG_BINARIES_URL: host.origin }, packagesFrom);
  await expect(sizeOfDownload(download, options)).rejects.toMatchObject({
    code: 'ffmpeg_not_installed',
    message: expect.stringContaining('redirects to an address that is no http or https URL'),
  });
});

it('shows no password of the host', async () => {
  const { env, options, home, packagesFrom, host } = await prepare('x');
  const base = `${host.origin.replace('://', '://june:s3cr3t@')}/none`;
  const download = await findDownload({ ...env, FFMPEG_BINARIES_URL: base }, packagesFrom);
  expect(shownUrl(download)).toBe(`${host.origin}/none/b6.1.1/ffmpeg-${process.platform}-${process.arch}.gz`);
  const failing = path.join(temporaryFolder(), 'install.js');
  await writeFile(failing, `console.error('Error: no answer from ${base}/x'); process.exit(1);`);
  const refusals = [
    sizeOfDownload(download, options),
    installFfmpeg({ ...download, folder: path.dirname(failing) }, home, options),
  ];
  for (const refusal of refusals) {
    const error = await refusal.catch((caught: Error) => caught);
    expect(error).toMatchObject({ code: 'ffmpeg_not_installed' });
    expect((error as Error).message).not.toContain('s3cr3t');
  }
});

it('refuses a proxy with a password, which the downloader would drop', async () => {
  const { options, home, packagesFrom } = await prepare('x', 'http://ann:s3cr3t@proxy.example:3128');
  const env = { ...options.env, FFMPEG_BINARIES_URL: 'http://mirror.example' };
  const refused = installFfmpeg(await findDownload(env, packagesFrom), home, { ...options, env });
  await expect(refused).rejects.toMatchObject({
    message: expect.stringContaining('cannot send the password of the proxy http://proxy.example:3128'),
  });
  await expect(refused).rejects.not.toThrow('s3cr3t');
});
