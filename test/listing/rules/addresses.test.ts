import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isEmailAddress } from '../../../src/listing/rules/email-address.ts';
import { type UrlFault, validateUrl } from '../../../src/listing/rules/validate-url.ts';

interface Recorded {
  /** Address, and the reason of email-validator or null. */
  readonly emails: readonly (readonly [string, string | null])[];
  /** URL, and type and message of pydantic or null. */
  readonly urls: readonly (readonly [string, readonly [string, string] | null])[];
}

const recorded = JSON.parse(
  readFileSync(new URL('../fixtures/recorded-addresses.json', import.meta.url), 'utf8'),
) as Recorded;

describe('e-mail addresses', () => {
  it('are accepted and refused as email-validator does', () => {
    expect(recorded.emails.length).toBeGreaterThan(150);
    for (const [address, reason] of recorded.emails) {
      expect(isEmailAddress(address), JSON.stringify(address)).toBe(reason === null);
    }
  });

  it.each([
    [' june@example.com ', true],
    ['June Takemori <june@example.com>', false],
    [`${'a'.repeat(2048)}@example.com`, false],
    ['june@brokerage.local', false],
    ['ju\u202ene@example.com', false],
    ['a b@example.com', false],
    ['a@exa_mple!.com', false],
    // Symbols that browsers map to letters are in no registered domain.
    ['june@brand™.com', false],
    // Only after conversion to Punycode is a label too long, or does it begin with a hyphen.
    [`june@${'é'.repeat(63)}.com`, false],
    ['june@-é.com', false],
  ])('%j', (address, isAddress) => {
    expect(isEmailAddress(address)).toBe(isAddress);
  });

  it('of any text get an answer, never an exception', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (local, domain) => {
        for (const address of [local, `${local}@${domain}`, `${local}@${domain}.com`]) {
          expect(typeof isEmailAddress(address)).toBe('boolean');
        }
      }),
      { numRuns: 600 },
    );
  });

  it('are not slow to check, however long', () => {
    for (const part of ['a', 'a.', 'é', 'a@', 'xn--', ' ']) {
      for (const text of [
        part.repeat(1_000_000),
        `${part.repeat(1_000_000)}@b.com`,
        `a@${part.repeat(1_000_000)}`,
      ]) {
        expect(isEmailAddress(text)).toBe(false);
      }
    }
  });

  it('that are common are accepted in any capitals', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (address) => {
        // The generator also makes reserved domains and labels with two hyphens.
        const isValid =
          !/\.(?:test|local|invalid|localhost|onion|arpa)$/i.test(address) && !/[.@]..--[^@]*$/.test(address);
        if (isValid) expect(isEmailAddress(address), address).toBe(true);
      }),
      { numRuns: 600 },
    );
  });
});

describe('URLs', () => {
  function wordsOf(fault: UrlFault | null): readonly [string, string] | null {
    if (fault === null) return null;
    if (fault.kind === 'scheme') return ['url_scheme', "URL scheme should be 'http' or 'https'"];
    return ['url_parsing', `Input should be a valid URL, ${fault.error}`];
  }

  it('get the answer and the words of pydantic, except that credentials are refused', () => {
    expect(recorded.urls.length).toBeGreaterThan(200);
    const refused = wordsOf({ kind: 'parsing', error: 'user name and password are not allowed' });
    const other: string[] = [];
    for (const [url, expected] of recorded.urls) {
      const ours = wordsOf(validateUrl(url, false));
      if (ours?.[1] === refused?.[1]) {
        expect(url).toContain('@');
        continue;
      }
      expect(ours === null, JSON.stringify(url)).toBe(expected === null);
      if (ours?.join() !== expected?.join()) other.push(url);
    }
    // A host with two faults can be refused for the other one.
    expect(other.length).toBeLessThanOrEqual(5);
  });

  it('keep their answer when checked again and again (URL.canParse of Node 20 does not)', () => {
    for (let time = 0; time < 50_000; time++) {
      if (validateUrl('http://exämple.com/ü b', false) !== null) throw new Error(`refused at time ${time}`);
    }
    expect(validateUrl('http://exämple.com/ü b', false)).toBeNull();
  });

  it('that are accepted have an http(s) scheme, a host and no credentials', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl({ withFragments: true })),
        fc.constantFrom('', 'https://', 'http:'),
        (text, prefix) => {
          if (validateUrl(prefix + text, false) !== null) return;
          const url = new URL(prefix + text);
          expect(['http:', 'https:']).toContain(url.protocol);
          expect(url.host).not.toBe('');
          expect(url.username + url.password).toBe('');
        },
      ),
      { numRuns: 1500 },
    );
  });

  it('are not slow to check, however long', () => {
    for (const text of [
      ' '.repeat(2000),
      'x'.repeat(2000),
      `https://${'a@'.repeat(1000)}`,
      `https://${'['.repeat(2000)}`,
    ]) {
      expect(validateUrl(text, false)).not.toBeNull();
    }
  });
});
