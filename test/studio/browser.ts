/**
 * Headless Chromium for the page's tests, watched: a refusal of the Content-Security-Policy, an error in a script, or a
 * request that leaves the machine fails the test that caused it.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';

/** Debian's shell without windows first, which takes half the CPU; then Chromium, under the names that others give it. */
const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

export interface Sight {
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: 'light' | 'dark';
  readonly isTouch?: boolean;
}

export interface TestBrowser {
  /** A page in a session of its own. */
  open(url: string, sight?: Sight): Promise<WatchedPage>;
  close(): Promise<void>;
}

export interface WatchedPage {
  readonly page: Page;
  /** Everything that must not happen and did; to be compared with `[]` after each test. */
  readonly faults: readonly string[];
}

/** @throws Error that says how to install one, when there is no Chromium: these tests are never skipped. */
export async function launchBrowser(): Promise<TestBrowser> {
  const executablePath = PLACES.find((place) => existsSync(place));
  if (executablePath === undefined) {
    throw new Error(
      'the page is tested in Chromium, and none is installed: `apt-get install chromium-headless-shell`',
    );
  }
  const profile = await mkdtemp(path.join(tmpdir(), 'listing-video-chromium-'));
  const browser = await chromium.launch({
    executablePath,
    // Playwright's own list asks for features of its patched build; the rest keeps Chromium from calling home.
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--mute-audio',
      // Chromium's crash reporter stays in the test's own folder. Caches have none: sessions would share it, and only
      // the first could load pages.
      `--crash-dumps-dir=${profile}`,
      '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost',
    ],
    env: {
      ...process.env,
      HOME: profile,
      XDG_CONFIG_HOME: profile,
      XDG_CACHE_HOME: profile,
      PULSE_RUNTIME_PATH: profile,
    },
  });
  const contexts: BrowserContext[] = [];
  return {
    async open(url, { width = 1280, height = 900, colorScheme = 'light', isTouch = false } = {}) {
      const context = await browser.newContext({
        viewport: { width, height },
        colorScheme,
        hasTouch: isTouch,
        isMobile: isTouch,
        locale: 'en-GB',
        timezoneId: 'UTC',
        reducedMotion: 'reduce',
      });
      contexts.push(context);
      context.setDefaultTimeout(40_000);
      const page = await context.newPage();
      const faults: string[] = [];
      page.on('pageerror', (error) => faults.push(`script: ${error.message}`));
      page.on('console', (message) => {
        // Answers of 4xx and a lost connection are logged by Chromium itself; tests cause them on purpose.
        if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
          faults.push(`console: ${message.text()}`);
        }
      });
      context.on('request', (request) => {
        const { protocol, hostname } = new URL(request.url());
        if (protocol === 'data:' || protocol === 'blob:') return;
        if (hostname !== '127.0.0.1' && hostname !== 'localhost') faults.push(`request: ${request.url()}`);
      });
      // Playwright's clock and evaluate go past the policy, so violations are counted where they happen.
      await page.addInitScript(
        `addEventListener('securitypolicyviolation', (event) =>
          console.error('policy: ' + event.violatedDirective + ' refused ' + (event.blockedURI || event.sample)));`,
      );
      await page.goto(url);
      return { page, faults };
    },
    async close() {
      for (const context of contexts) await context.close();
      await browser.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/**
 * Opens pages for the tests of a file. Each is closed after its test, which fails when something happened that must
 * not.
 */
export function watchPages(): (url: string, sight?: Sight) => Promise<Page> {
  let browser: TestBrowser;
  const opened: WatchedPage[] = [];
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());
  afterEach(async () => {
    for (const { page, faults } of opened.splice(0)) {
      await page.context().close();
      expect(faults).toEqual([]);
    }
  });
  return async (url, sight) => {
    const watched = await browser.open(url, sight);
    opened.push(watched);
    return watched.page;
  };
}
