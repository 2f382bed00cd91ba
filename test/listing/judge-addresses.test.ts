import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeEmail } from '../../src/listing/rules/validate-email.ts';
import { judgeUrl, type UrlFault } from '../../src/listing/rules/validate-url.ts';

interface Recorded {
  /** Address, and the reason of email-validator or null. */
  readonly emails: readonly (readonly [string, string | null])[];
  /** URL, and type and message of pydantic or null. */
  readonly urls: readonly (readonly [string, readonly [string, string] | null])[];
}

const recorded = JSON.parse(
  readFileSync(new URL('fixtures/recorded-verdicts.json', import.meta.url), 'utf8'),
) as Recorded;

describe('e-mail addresses', () => {
  it('get the verdict that email-validator gives', () => {
    expect(recorded.emails.length).toBeGreaterThan(150);
    for (const [address, reason] of recorded.emails) {
      expect(judgeEmail(address) === null, JSON.stringify(address)).toBe(reason === null);
    }
  });

  it('get its reason too, but for the few it names by libraries we do not have', () => {
    const other = recorded.emails
      .filter(([address, reason]) => judgeEmail(address) !== reason)
      .map(([address]) => address);
    expect(other.length).toBeLessThanOrEqual(9);
    const same = recorded.emails.length - other.length;
    expect(same).toBeGreaterThan(recorded.emails.length * 0.95);
  });

  it.each([
    [' june@example.com ', null],
    [
      'June Takemori <june@example.com>',
      'A display name and angle brackets around the email address are not permitted here.',
    ],
    [`${'a'.repeat(2048)}@example.com`, 'Length must not exceed 2048 characters'],
    [
      'june@brokerage.local',
      'The part after the @-sign is a special-use or reserved name that cannot be used with email.',
    ],
    ['ju\u202ene@example.com', 'The email address contains unsafe characters: RIGHT-TO-LEFT OVERRIDE.'],
    ['a b@example.com', 'The email address contains invalid characters before the @-sign: SPACE.'],
    ['a@exa_mple!.com', "The part after the @-sign contains invalid characters: '!', '_'."],
  ])('%j', (address, reason) => {
    expect(judgeEmail(address)).toBe(reason);
  });

  it('of any text are judged, never thrown at', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (local, domain) => {
        for (const address of [local, `${local}@${domain}`, `${local}@${domain}.com`]) {
          const reason = judgeEmail(address);
          if (reason !== null) expect(reason).toMatch(/^\p{Lu}.*[^\s]$/su);
        }
      }),
      { numRuns: 600, seed: 7 },
    );
  });

  it('a common address is one in any capitals', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (address) => {
        // The generator also makes all-digit top-level domains' neighbours; those that end in a letter are deliverable.
        const isFine =
          !/\.(?:test|local|invalid|localhost|onion|arpa)$/i.test(address) &&
          !/@.*(?:^|[.@])..--/.test(address);
        if (isFine) expect(judgeEmail(address), address).toBeNull();
      }),
      { numRuns: 600, seed: 7 },
    );
  });
});

describe('URLs', () => {
  function wordsOf(fault: UrlFault | null): readonly [string, string] | null {
    if (fault === null) return null;
    if (fault.kind === 'scheme') return ['url_scheme', "URL scheme should be 'http' or 'https'"];
    return ['url_parsing', `Input should be a valid URL, ${fault.error}`];
  }

  it('get the verdict and the words of pydantic, credentials aside, which we refuse', () => {
    expect(recorded.urls.length).toBeGreaterThan(200);
    const refused = wordsOf({ kind: 'parsing', error: 'user name and password are not allowed' });
    const other: string[] = [];
    for (const [url, verdict] of recorded.urls) {
      const ours = wordsOf(judgeUrl(url, false));
      if (ours?.[1] === refused?.[1]) {
        expect(url).toContain('@');
        continue;
      }
      expect(ours === null, JSON.stringify(url)).toBe(verdict === null);
      if (ours?.join() !== verdict?.join()) other.push(url);
    }
    // Which of two faults of one host is told.
    expect(other.length).toBeLessThanOrEqual(5);
  });

  it('keep their verdict when asked again and again (URL.canParse of Node 20 does not)', () => {
    for (let time = 0; time < 50_000; time++) {
      if (judgeUrl('http://exämple.com/ü b', false) !== null) throw new Error(`refused at time ${time}`);
    }
    expect(judgeUrl('http://exämple.com/ü b', false)).toBeNull();
  });

  it('that are accepted have an http(s) scheme, a host and no credentials', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl({ withFragments: true })),
        fc.constantFrom('', 'https://', 'http:'),
        (text, prefix) => {
          if (judgeUrl(prefix + text, false) !== null) return;
          const url = new URL(prefix + text);
          expect(['http:', 'https:']).toContain(url.protocol);
          expect(url.host).not.toBe('');
          expect(url.username + url.password).toBe('');
        },
      ),
      { numRuns: 1500, seed: 7 },
    );
  });

  it('are not slow to judge, however long', () => {
    for (const text of [
      ' '.repeat(2000),
      'x'.repeat(2000),
      `https://${'a@'.repeat(1000)}`,
      `https://${'['.repeat(2000)}`,
    ]) {
      expect(judgeUrl(text, false)).not.toBeNull();
    }
  });
});
