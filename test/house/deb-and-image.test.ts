/** The package for Debian, the image and the release, without making them: `npm run smoke -- deb/` and `-- image` do that. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
// @ts-expect-error Plain JavaScript without types.
import { formatChangelog, toWorkerUnit } from '../../bin/package/make-deb.js';
// @ts-expect-error Plain JavaScript without types.
import { imageConfig } from '../../bin/package/make-image.js';
// @ts-expect-error Plain JavaScript without types.
import { findProblems, formatPlan } from '../../bin/package/release.js';
import { SETTINGS } from '../../src/platform/settings/setting-table.ts';

const read = (name: string) => readFile(fileURLToPath(new URL(`../../${name}`, import.meta.url)), 'utf8');
const OURS = new Set<string>(Object.values(SETTINGS).map(({ env }) => env));
const areOurs = (names: string[]) =>
  names.filter((name) => name.startsWith('LISTING_VIDEO_') && !OURS.has(name));

describe('the package for Debian', () => {
  it('has a unit for the worker that differs from the one of the server in its command only', async () => {
    const unit = await read('.github/deploy/listing-video.service');
    const lines = new Set(unit.split('\n'));
    const changed = toWorkerUnit(unit)
      .split('\n')
      .filter((line: string) => !lines.has(line));
    expect(changed).toEqual([
      'Description=listing-video: renders the tasks of a database',
      'ExecStart=/usr/bin/listing-video worker',
    ]);
  });

  it('has the versions of CHANGELOG.md that have a date, as deb-changelog(5) asks', () => {
    const markdown =
      '# Changelog\n\n## Not released\n\n- C.\n\n## 0.2.0 - 2026-11-28\n\n- B,\n  too.\n\n## 0.1.0\n\nA.\n';
    expect(formatChangelog(markdown, 'Ada <ada@example.com>')).toBe(
      'listing-video (0.2.0) stable; urgency=medium\n\n  * B,\n    too.\n\n -- Ada <ada@example.com>  Sat, 28 Nov 2026 00:00:00 +0000\n',
    );
  });

  it('names settings that exist', async () => {
    const names = [...(await read('bin/package/debian/settings.env')).matchAll(/^#?(\w+)=/gm)].map(
      ([, name]) => name!,
    );
    expect(names.length).toBeGreaterThan(3);
    expect(areOurs(names)).toEqual([]);
  });
});

describe('the image', () => {
  it('runs as a user that is not root, writes to its volume only, and asks the port that its server listens on', () => {
    const { config } = imageConfig({ version: '1.2.3', architecture: 'amd64', timeSec: 0, layers: [] });
    const env = Object.fromEntries(config.Env.map((line: string) => line.split('=')));
    expect(config.User).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    for (const name of [SETTINGS.home.env, SETTINGS.out.env, 'TMPDIR'])
      expect(env[name]).toMatch(/^\/data(?:\/|$)/);
    expect(Object.keys(config.Volumes)).toEqual(['/data']);
    expect(config.Healthcheck.Test.join(' ')).toContain(`:${env[SETTINGS.port.env]}/healthz`);
    expect(areOurs(Object.keys(env))).toEqual([]);
  });

  it('has a compose file of this version, with settings that exist and no password', async () => {
    const text = await read('.github/deploy/compose.yaml');
    const { version } = JSON.parse(await read('package.json'));
    const { services } = parse(text, { merge: true });
    for (const name of ['serve', 'worker', 'migrate']) {
      expect(services[name]).toMatchObject({
        image: `listing-video:${version}`,
        read_only: true,
        cap_drop: ['ALL'],
      });
      expect(areOurs(Object.keys(services[name].environment))).toEqual([]);
    }
    expect(text).not.toMatch(/PASSWORD: (?!\$\{)/);
  });
});

describe('a release', () => {
  const ready = {
    changes: '',
    tags: 'v0.1.0\n',
    version: '0.2.0',
    lockVersion: '0.2.0',
    changelog: '# Changelog\n\n## 0.2.0 - 2026-11-28\n\n- New.\n',
  };

  it.each([
    [{ changes: ' M README.md\n' }, 'the work tree has changes'],
    [{ tags: 'v0.2.0\n' }, '0.2.0 was released'],
    [{ lockVersion: '0.1.0' }, 'package-lock.json is of 0.1.0'],
    [{ changelog: '## Not released\n\n- New.\n' }, 'CHANGELOG.md begins with "Not released"'],
    [
      { changelog: '## Not released\n\n- Newer.\n\n## 0.2.0 - 2026-11-28\n\n- New.\n' },
      'CHANGELOG.md has "Not released" above 0.2.0',
    ],
    [{ changelog: '## 0.2.0 - 2026-13-45\n\n- New.\n' }, 'CHANGELOG.md begins with'],
    [{ changelog: '## 0.2.0 - 2026-11-28\n\n## 0.1.0\n' }, 'CHANGELOG.md says nothing about 0.2.0'],
  ])('is not ready with %o', (change, problem) => {
    expect(findProblems({ ...ready, ...change })).toEqual([expect.stringContaining(problem)]);
  });

  it('says where each file goes', () => {
    expect(findProblems(ready)).toEqual([]);
    const names = [
      'SHA256SUMS',
      'listing-video-0.2.0-image-amd64.tar',
      'listing-video_0.2.0_amd64.deb',
    ].concat('listing-video-0.2.0-linux-x64.tar.xz', 'listing-video-0.2.0-ffmpeg-source.tar');
    const plan = formatPlan({ version: '0.2.0', names, homepage: '' });
    for (const name of names) expect(plan).toContain(`packages/${name}\n`);
    expect(plan).toContain('npm run homepage');
    expect(formatPlan({ version: '0.2.0', names, homepage: 'https://example.com' })).not.toContain(
      'npm run homepage',
    );
  });
});
