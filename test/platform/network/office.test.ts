/** The program in an office: a proxy, and an authority of the office that signs the certificates of all servers. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { openBackend } from '../../../src/wiring/open-backend.ts';
import { folderOf } from '../../cli/listing-files.ts';
import { run } from '../../cli/run-cli.ts';
import { startProxy } from './loopback-proxy.ts';

const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const LAUNCHER = fileOf('../../../bin/listing-video.js');

it('reaches a server through the proxy, and trusts the authority of NODE_EXTRA_CA_CERTS', async () => {
  const server = createServer(
    { key: readFileSync(fileOf('tls/host.key')), cert: readFileSync(fileOf('tls/host.pem')) },
    (_, response) => response.end('{"data": [], "has_more": false}'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy = await startProxy(server.address() as AddressInfo);
  const cwd = await folderOf();
  const env = {
    HTTPS_PROXY: `http://ann:s3cr3t@127.0.0.1:${proxy.port}`,
    LISTING_VIDEO_SERVER: 'https://videos.example',
  };
  try {
    const trusting = await promisify(execFile)(process.execPath, [LAUNCHER, 'tasks', 'list', '--json'], {
      cwd,
      env: { ...process.env, ...env, LISTING_VIDEO_HOME: cwd, NODE_EXTRA_CA_CERTS: fileOf('tls/ca.pem') },
    });
    expect(JSON.parse(trusting.stdout)).toMatchObject({ data: [], has_more: false });
    const other = await run(['tasks', 'list', '--json'], { cwd, env, openBackend });
    expect(other.json().error).toMatchObject({ code: 'server_unreachable' });
    expect(other.stderr + other.stdout).toContain('TLS certificate');
    expect(other.stderr + other.stdout).not.toContain('s3cr3t');
    expect(proxy.requests).toEqual(['CONNECT videos.example:443', 'CONNECT videos.example:443']);
  } finally {
    await proxy.close();
    server.closeAllConnections();
    server.close();
  }
});

it('says at the start which variable is wrong, without its password', async () => {
  const cwd = await folderOf();
  const env = { https_proxy: 'http://ann:s3cr3t@proxy.example:port' };
  const result = await run(['tasks', 'list', '--json'], { cwd, env, openBackend });
  expect(result.exitCode).toBe(2);
  expect(result.json().error).toMatchObject({
    code: 'setting_invalid',
    message: 'the environment variable https_proxy is not the URL of a proxy',
  });
  expect(result.stderr + result.stdout).not.toContain('s3cr3t');
  const direct = await run(['tasks', 'list', '--json'], {
    cwd,
    env: { ...env, LISTING_VIDEO_USE_PROXY: 'no' },
    openBackend,
  });
  expect(direct.exitCode).toBe(0);
});
