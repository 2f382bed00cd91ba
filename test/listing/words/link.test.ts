import { describe, expect, it } from 'vitest';
import { parseLink } from '../../../src/listing/words/link.ts';

const plain = (text: string) => text.replaceAll('\u200b', '');
const shown = (text: string) => {
  const link = parseLink(text);
  return 'problem' in link ? link.problem : [link.url, plain(link.short)];
};

describe('a link', () => {
  it.each([
    ['https://harborpine.example/tour', 'https://harborpine.example/tour', 'harborpine.example/tour'],
    ['http://www.harborpine.example/', 'http://www.harborpine.example', 'harborpine.example'],
    ['harborpine.example', 'https://harborpine.example', 'harborpine.example'],
    ['www.HarborPine.example/Tour/', 'https://www.harborpine.example/Tour/', 'harborpine.example/Tour'],
    [
      'harborpine.example:8080/x?id=7#top',
      'https://harborpine.example:8080/x?id=7#top',
      'harborpine.example:8080/x',
    ],
    ['HTTPS://harborpine.example', 'https://harborpine.example', 'harborpine.example'],
    ['münchen.example/haus', 'https://xn--mnchen-3ya.example/haus', 'münchen.example/haus'],
    ['例え.テスト', 'https://xn--r8jz45g.xn--zckzah', '例え.テスト'],
  ])('%j is followed whole and read in short', (text, url, short) =>
    expect(shown(text)).toEqual([url, short]),
  );

  it('shows its host alone where nobody would type its path', () => {
    const long = 'https://www.homes.example/homedetails/128-Harbor-Pine-Ln-Portland-OR-97205/53968123/';
    expect(shown(long)).toEqual([long, 'homes.example']);
  });

  it('can be broken after its host and in its path, not in the host', () => {
    expect(parseLink('homes.harborpine.example/128-harbor')).toMatchObject({
      short: 'homes.harborpine.example\u200b/128-\u200bharbor',
    });
  });

  it.each([
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'data:text/html,x',
    'mailto:june@example.com',
    'ftp://harborpine.example',
    'file:///etc/passwd',
    'tel:+15035550128',
  ])('of another scheme is refused: %j', (text) =>
    expect(shown(text)).toMatch(/http:\/\/ or https:\/\/|spaces/),
  );

  it.each([
    'harbor pine.example',
    'harborpine.example/\u202egnp.exe',
    'harbor\u200bpine.example',
    'harborpine.example/\u0000',
    'https:\\\\harborpine.example',
    'harborpine.example/<script>',
    '\ud800.example',
  ])('with characters that hide something is refused: %j', (text) =>
    expect(shown(text)).toMatch(/characters/),
  );

  it.each([
    'harborpine',
    'localhost:3000',
    '127.0.0.1/x',
    'http://1',
    '[::1]',
    'https://harborpine.example@evil.example/',
    'https://user:pass@harborpine.example',
    'https://',
    '//harborpine.example',
    'https://.example',
    'see our site',
  ])('that is no public web address is refused: %j', (text) =>
    expect(parseLink(text)).toHaveProperty('problem'),
  );

  it('of a million characters is refused at once', () => {
    expect(shown(`https://harborpine.example/${'x'.repeat(1_000_000)}`)).toMatch(/too long/);
  });
});
