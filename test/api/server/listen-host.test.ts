/** `--host`: what is said of one that has no address, or not here. */
import { describe, expect, it } from 'vitest';
import { cannotListen, requireListenHost } from '../../../src/api/server/sockets/listen-host.ts';

const failing = (code: string) => Object.assign(new Error(`${code} nosuchhost`), { code });

describe('a host to listen on', () => {
  it('that is a name without an address is refused as such, whoever could reach it', async () => {
    const lookup = () => Promise.reject(failing('ENOTFOUND'));
    await expect(requireListenHost('nosuchhost', lookup)).rejects.toMatchObject({
      code: 'cannot_listen',
      exitCode: 3,
      message: '--host nosuchhost: no address is known for this name',
      hint: expect.stringContaining('0.0.0.0'),
    });
  });

  it('that is an address is not looked up', async () => {
    const lookup = () => Promise.reject(failing('ENOTFOUND'));
    for (const host of ['127.0.0.1', '0.0.0.0', '::1', '[::1]'])
      await expect(requireListenHost(host, lookup)).resolves.toBeUndefined();
  });

  it.each([
    ['EADDRINUSE', 'port 80 of 10.9.9.9 is in use'],
    ['EADDRNOTAVAIL', '--host 10.9.9.9 is not an address of this machine'],
    ['EACCES', 'this user is not allowed to listen on port 80 of 10.9.9.9'],
    ['EPERM', 'cannot listen on port 80 of 10.9.9.9 (EPERM)'],
  ])('fails with %s in plain words', (code, message) => {
    expect(cannotListen(failing(code), 80, '10.9.9.9')).toMatchObject({ message, hint: expect.any(String) });
  });
});
