/** Which proxy a URL goes through, and which values of the variables are refused. */
import { describe, expect, it } from 'vitest';
import { proxyFor, readProxies } from '../../../src/platform/network/proxies.ts';

const PROXY = 'http://proxy.example:3128';

describe('the variables', () => {
  it('name no proxy when they are absent or empty', () => {
    expect(readProxies({})).toBeNull();
    expect(readProxies({ HTTP_PROXY: '', https_proxy: ' ', NO_PROXY: 'a.example' })).toBeNull();
  });

  it('are read in lower case first, and without a scheme as http', () => {
    const proxies = readProxies({ HTTPS_PROXY: 'http://upper.example:1', https_proxy: 'lower.example:8080' });
    expect(proxies).toMatchObject({
      http: null,
      https: { address: 'http://lower.example:8080', variable: 'https_proxy' },
    });
  });

  it('serve https with HTTP_PROXY when that is the only one, and http never with HTTPS_PROXY', () => {
    expect(readProxies({ HTTP_PROXY: PROXY })).toMatchObject({ https: { variable: 'HTTP_PROXY' } });
    expect(readProxies({ HTTPS_PROXY: PROXY })).toMatchObject({ http: null });
  });

  it('show a proxy without user name and password, and to clients of a server not at all', () => {
    const env = { HTTPS_PROXY: 'http://ann:s3cr3t@proxy.example:3128' };
    const { https } = readProxies(env)!;
    expect(https?.url).toContain('s3cr3t');
    expect([https?.address, https?.label]).toEqual([PROXY, `the proxy ${PROXY} (from HTTPS_PROXY)`]);
    const shown = readProxies(env, { isPublic: true })?.https;
    expect(shown?.label + shown!.passwordHint).toBe('the proxy of the server');
  });

  it.each([
    'http://',
    'ftp://proxy.example',
    'socks5://proxy.example:1080',
    'http://proxy.example:port',
    'http://proxy.example:3128/path',
    'http://ann:s3cr3t%@proxy.example',
    'two words',
  ])('are refused as "%s", without the value in the message', (value) => {
    let found: unknown;
    try {
      readProxies({ HTTPS_PROXY: value });
    } catch (error) {
      found = error;
    }
    expect(found).toMatchObject({
      code: 'setting_invalid',
      exitCode: 2,
      message: 'the environment variable HTTPS_PROXY is not the URL of a proxy',
    });
    expect(JSON.stringify(found)).not.toContain('s3cr3t');
  });
});

describe('a URL', () => {
  const isDirect = (url: string, noProxy = '') =>
    proxyFor(new URL(url), readProxies({ HTTP_PROXY: PROXY, NO_PROXY: noProxy })) === null;

  it('of this machine never goes through a proxy', () => {
    for (const host of ['localhost', 'a.localhost', '127.0.0.1', '127.9.9.9', '[::1]', '[::ffff:127.0.0.1]'])
      expect([host, isDirect(`http://${host}:8080/`)]).toEqual([host, true]);
    expect(isDirect('http://10.0.0.1/')).toBe(false);
  });

  it.each([
    ['http://photos.example/', '*', true],
    ['http://photos.example/', 'a.example, *', true],
    ['http://photos.example/', 'photos.example', true],
    ['http://PHOTOS.example./', 'Photos.Example', true],
    ['http://a.photos.example/', 'photos.example', true],
    ['http://a.photos.example/', '.photos.example other', true],
    ['http://a.photos.example/', '*.photos.example', true],
    ['http://myphotos.example/', 'photos.example', false],
    ['https://photos.example/', 'photos.example:443', true],
    ['https://photos.example:8443/', 'photos.example:443', false],
    ['http://10.1.2.3/', '10.0.0.0/8', true],
    ['http://11.1.2.3/', '10.0.0.0/8', false],
    ['http://[fd00::5]/', 'fd00::/8', true],
    ['http://[fd00::5]:81/', '[fd00::5]:81', true],
    ['http://10.1.2.3/', '10.1.2.3:8080', false],
    ['http://10.1.2.3/', '0/x, 10.1.2', false],
  ])('%s with NO_PROXY=%s is direct: %s', (url, noProxy, expected) => {
    expect(isDirect(url, noProxy)).toBe(expected);
  });
});
