/** Sizes and spans of time as people write them, and the nearest known name. */
import { describe, expect, it } from 'vitest';
import { nearestName } from '../../../src/platform/nearest-name.ts';
import { formatDuration, parseDurationMs } from '../../../src/platform/settings/parse-duration.ts';
import { formatSize, parseSize } from '../../../src/platform/settings/parse-size.ts';
import {
  baseUrlKind,
  listKind,
  parseAllowedPlace,
  parseOrigin,
} from '../../../src/platform/settings/value-kind.ts';

describe('parseSize', () => {
  it.each([
    ['5GB', 5e9],
    ['5 gb', 5e9],
    ['1.5GiB', 1.5 * 2 ** 30],
    ['512m', 512e6],
    ['0', 0],
    ['1024', 1024],
    ['10 kB', 10_000],
  ])('%s', (text, bytes) => expect(parseSize(text)).toBe(bytes));

  it.each(['', 'GB', '-1GB', '5 parsec', '1e9', '5GB extra', '99999999TB', 'Infinity', '1,5GB'])(
    'refuses %j',
    (text) => expect(parseSize(text)).toBeNull(),
  );
});

describe('a list', () => {
  const origins = listKind('<origin>', 'an origin', parseOrigin);
  const parse = (raw: unknown) => origins.parse(raw, { cwd: '/' });

  it.each([
    ['https://a.example, http://localhost:5173', ['https://a.example', 'http://localhost:5173']],
    [['https://a.example', 'https://A.example/'], ['https://a.example']],
    ['*', ['*']],
  ])('%j', (raw, items) => expect(parse(raw)).toEqual(items));

  it.each([
    '',
    'https://a.example,',
    'a.example',
    'https://a.example/path',
    'null',
    [1],
    7,
    'ftp://a.example',
  ])('refuses %j', (raw) => expect(parse(raw)).toBeNull());
});

describe('a place that assets may come from', () => {
  it.each(['10.0.0.0/8', '::1', '[::1]', 'fd00::/8', 'photos.internal', 'localhost', '127.0.0.1'])(
    'may be %s',
    (text) => expect(parseAllowedPlace(text)).toBe(text),
  );

  it.each([
    '',
    '10.0.0.0/33',
    '10.0.0.0/x',
    '10.1',
    '1.2.3.256',
    'http://host',
    'a b',
    'host/8',
    '*.internal',
  ])('may not be %j', (text) => expect(parseAllowedPlace(text)).toBeNull());
});

describe('a base URL', () => {
  const parse = (raw: unknown) => baseUrlKind('<url>').parse(raw, { cwd: '/' });

  it.each([
    ['https://videos.example/', 'https://videos.example'],
    ['HTTP://videos.example:8080/base//', 'http://videos.example:8080/base'],
  ])('%s', (raw, url) => expect(parse(raw)).toBe(url));

  it.each([
    'videos.example',
    'ftp://videos.example',
    'https://u:p@videos.example',
    'https://v.example/?a',
    '',
    7,
  ])('refuses %j', (raw) => expect(parse(raw)).toBeNull());
});

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1500, '1.5 kB'],
  [999_600, '1 MB'],
  [25_300_000_000, '25.3 GB'],
  [5e9, '5 GB'],
])('formatSize(%d) is %s', (bytes, text) => expect(formatSize(bytes)).toBe(text));

describe('parseDurationMs', () => {
  it.each([
    ['30d', 30 * 86_400_000],
    ['12h', 12 * 3_600_000],
    ['1d12h', 36 * 3_600_000],
    ['90 min', 90 * 60_000],
    ['2w', 14 * 86_400_000],
    ['500ms', 500],
    ['1.5h', 5_400_000],
    ['0', 0],
  ])('%s', (text, ms) => expect(parseDurationMs(text)).toBe(ms));

  it.each(['', '30', 'd', '-1d', '1 fortnight', '1d!', '9e99d'])('refuses %j', (text) =>
    expect(parseDurationMs(text)).toBeNull(),
  );
});

it.each([
  [0, '0 s'],
  [400, '1 s'],
  [59_000, '59 s'],
  [80_000, '1 min 20 s'],
  [3_600_000, '1 h'],
  [3 * 86_400_000 + 4 * 3_600_000 + 5000, '3 d 4 h'],
])('formatDuration(%d) is %s', (ms, text) => expect(formatDuration(ms)).toBe(text));

describe('nearestName', () => {
  const names = ['quality', 'concurrency', 'cache-size', 'out'];
  it.each([
    ['qualty', 'quality'],
    ['QUALITY', 'quality'],
    ['uqality', 'quality'],
    ['cachesize', 'cache-size'],
    ['otu', 'out'],
    ['zebra', undefined],
    ['x'.repeat(1_000_000), undefined],
  ])('%.20s', (word, near) => expect(nearestName(word, names)).toBe(near));
});
