/** What the page's files are answered with: policy, caching, types; and the pure parts of its scripts. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { reasonParts } from '../../src/studio/components/words.ts';
import { PAGE_ASSETS_PATH } from '../../src/studio/pages/page-answer.ts';
import { createPageApp, PAGE_PATHS } from '../../src/studio/serve-page/page.ts';

const BROWSER = '../../src/studio/serve-page/browser';
const app = createPageApp({ publicUrl: () => 'https://videos.example.com/?"<x>' });

async function read(path: string) {
  const response = await app.request(path);
  return { response, text: await response.text() };
}

/** The addresses of files that a page names, as absolute paths. */
async function assetsOf(path: string): Promise<string[]> {
  const { text } = await read(path);
  return [...text.matchAll(/(?:src|href)="(page\/[^"]+)"/g)].map(([, href]) => `/${href}`);
}

describe('the pages', () => {
  it.each(PAGE_PATHS)('%s allows nothing inline and no other host', async (path) => {
    const { response, text } = await read(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(text).not.toMatch(/ style=|<style|<script(?![^>]*src=)| on[a-z]+="/);
    const others = [...text.matchAll(/(?:src|href)="(?:https?:)?\/\/[^"]*"/g)];
    expect(others).toEqual([]);
  });

  it('carry the public address without letting it out of its attribute', async () => {
    const { text } = await read('/');
    expect(text).toContain('content="https://videos.example.com/?&#34;&#60;x&#62;"');
  });

  it('are answered 304 to a client that has them', async () => {
    const etag = (await read('/')).response.headers.get('etag') ?? '';
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const response = await app.request('/', { headers: { 'if-none-match': known } });
      expect(response.status).toBe(304);
      expect(response.headers.get('etag')).toBe(etag);
      expect(await response.text()).toBe('');
    }
    expect((await app.request('/', { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });
});

describe('the files of the pages', () => {
  it('exist, with their types, and may be kept for ever', async () => {
    const paths = [...(await assetsOf('/')), ...(await assetsOf('/docs'))];
    expect(paths.length).toBeGreaterThan(6);
    for (const path of paths) {
      const { response } = await read(path);
      expect(response.status, path).toBe(200);
      expect(response.headers.get('content-type')).not.toBe('application/octet-stream');
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    }
  });

  it('are one script for the page, small enough for a slow line', async () => {
    const script = (await assetsOf('/')).filter((path) => path.endsWith('.js'));
    expect(script).toEqual([expect.stringMatching(/\/main\.js$/)]);
    const { text } = await read(script[0] ?? '');
    expect(text).not.toMatch(/^import |from ?["']\./);
    expect(text.length).toBeLessThan(180_000);
  });

  it.each(['nothing/main.js', '../page.ts', '%2e%2e/page.ts', 'x/..%2fpage.ts', 'x/__proto__'])(
    '%s is not there',
    async (path) => {
      expect((await app.request(`${PAGE_ASSETS_PATH}/${path}`)).status).toBe(404);
    },
  );

  it('are only these: no source lies beside them', async () => {
    const [script = ''] = (await assetsOf('/')).filter((path) => path.endsWith('main.js'));
    for (const name of ['page.ts', 'app.tsx', 'index.html', 'package.json', 'constructor', '..%2fpage.ts']) {
      expect((await app.request(script.replace('main.js', name))).status, name).toBe(404);
    }
  });
});

describe('the scripts', () => {
  const load = (name: string) => import(new URL(`${BROWSER}/${name}`, import.meta.url).href);

  it('ask sooner while something happens, rarely otherwise, and never before Retry-After', async () => {
    const { nextDelayMs } = await load('poller.ts');
    const calm = { previousMs: 0, isBusy: false, hasChanged: false, failures: 0, retryAfterMs: null };
    expect(nextDelayMs({ ...calm, isBusy: true, hasChanged: true })).toBe(1_000);
    expect(nextDelayMs({ ...calm, isBusy: true, previousMs: 1_000 })).toBe(1_500);
    expect(nextDelayMs({ ...calm, isBusy: true, previousMs: 8_000 })).toBe(8_000);
    expect(nextDelayMs({ ...calm, previousMs: 8_000 })).toBe(12_000);
    expect(nextDelayMs({ ...calm, previousMs: 60_000 })).toBe(60_000);
    expect([1, 2, 3, 9].map((failures) => nextDelayMs({ ...calm, failures }))).toEqual([
      2_000, 4_000, 8_000, 60_000,
    ]);
    expect(nextDelayMs({ ...calm, isBusy: true, hasChanged: true, retryAfterMs: 5_000 })).toBe(5_000);
    expect(nextDelayMs({ ...calm, failures: 1, retryAfterMs: 90_000 })).toBe(90_000);
  });

  it('read Retry-After as seconds and as a date', async () => {
    const { retryAfterMs } = await load('api.ts');
    const now = Date.UTC(2026, 10, 20, 14, 0, 0);
    const read = (value: string) => retryAfterMs(new Headers({ 'retry-after': value }), now);
    expect(read('7')).toBe(7_000);
    expect(read('Fri, 20 Nov 2026 14:00:30 GMT')).toBe(30_000);
    expect(read('Fri, 20 Nov 2026 13:00:00 GMT')).toBe(0);
    expect(read('soon')).toBeNull();
    expect(retryAfterMs(new Headers())).toBeNull();
  });

  it('put values into words', async () => {
    const { ageWords } = await import('../../src/studio/components/words.ts');
    const ages = [-5, 59, 60, 7_200, 2 * 86_400, 8 * 86_400, 60 * 86_400, 800 * 86_400];
    expect(
      ages.map((age) =>
        ageWords('2026-11-20T14:03:07.000+00:00', Date.UTC(2026, 10, 20, 14, 3, 7) + age * 1000),
      ),
    ).toEqual([
      'just now',
      'just now',
      '1 minute ago',
      '2 hours ago',
      '2 days ago',
      '1 week ago',
      '2 months ago',
      '2 years ago',
    ]);
    expect(ageWords('yesterday', 0)).toBe('');
    const words = await load('words.ts');
    expect(reasonParts('too_small: 200 x 150')).toEqual({ heading: 'Too small', detail: '200 x 150' });
    expect(reasonParts('new_code: x')).toEqual({ heading: 'new_code: x', detail: '' });
    expect(words.createdAt('01a1f945-7080-7abc-8def-00009e37d89e')?.toISOString()).toBe(
      '2026-11-20T14:04:00.000Z',
    );
    expect(words.createdAt('b3b1a2c4-0000-4000-8000-000000000000')).toBeNull();
    const task = { id: '01a1f945-7080-7abc-8def-00009e37d89e' };
    expect(words.taskTitle({ ...task, listing_id: 'HP-1', listing_address: '1 Pine Lane' })).toBe(
      '1 Pine Lane',
    );
    expect(words.taskTitle({ ...task, listing_id: 'HP-1', listing_address: null })).toBe('Listing HP-1');
    expect(words.taskTitle(task)).toBe('Task 00009e37d89e');
    const results = [{ agent_id: 'a' }, { agent_id: 'b' }];
    expect(words.resultTitle({ agent_names: ['', 'Bo Li'], results }, 1)).toBe('Bo Li');
    expect(words.resultTitle({ agent_names: ['', 'Bo Li'], results }, 0)).toBe('a');
    const running = { state: 'RUNNING', progress: { percent: 42.4, stage: 'render', eta_seconds: 83 } };
    expect(words.taskProgressWords(running)).toBe('Rendering · 42 % · about 1 min left');
    expect(words.taskProgressWords({ state: 'RUNNING' })).toBe('Working · 0 %');
    const waiting = { state: 'RUNNING', progress: { percent: 0, stage: 'lock', eta_seconds: null } };
    expect(words.taskProgressWords(waiting)).toMatch(/^Waiting: another window/);
  });
});

describe('the colours', () => {
  const css = readFileSync(new URL('../../src/studio/components/tokens.css', import.meta.url), 'utf8');
  const schemes = [...css.matchAll(/:root \{([^}]*)\}/g)].map(
    ([, block = '']) =>
      new Map(
        [...block.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map(([, name, colour]) => [name!, colour!]),
      ),
  );

  it.each(['light', 'dark'])('of the %s scheme can be read on every ground they stand on', (scheme) => {
    const colours = schemes[scheme === 'light' ? 0 : 1]!;
    const contrast = (a: string, b: string) => contrastOf(colours.get(a)!, colours.get(b)!);
    for (const ground of ['paper', 'card', 'bad-wash']) {
      for (const text of ['ink', 'soft', 'bad']) {
        expect(contrast(text, ground), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
      }
    }
    for (const text of ['brass', 'good']) expect(contrast(text, 'paper'), text).toBeGreaterThanOrEqual(4.5);
    expect(contrast('on-brass', 'brass')).toBeGreaterThanOrEqual(4.5);
    // WCAG 1.4.11: the edges of fields and buttons.
    for (const ground of ['paper', 'card']) expect(contrast('edge', ground)).toBeGreaterThanOrEqual(3);
  });
});

/** WCAG 2.2, relative luminance and contrast ratio, of two `#rrggbb`. */
function contrastOf(a: string, b: string): number {
  const [light, dark] = [luminanceOf(a), luminanceOf(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminanceOf(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
