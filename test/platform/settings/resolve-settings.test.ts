/** Precedence, values and places of settings. */
import { describe, expect, it } from 'vitest';
import {
  resolveSettings,
  settingValues,
  unknownConfigKeys,
} from '../../../src/platform/settings/resolve-settings.ts';
import { SETTING_NAMES, SETTINGS } from '../../../src/platform/settings/setting-table.ts';

const machine = { dataDir: '/data/listing-video', cwd: '/work', homeDir: '/home/june', cpuCount: 4 };

function resolve(inputs: {
  flags?: Record<string, unknown>;
  env?: Record<string, string>;
  config?: Record<string, unknown>;
}) {
  const config = inputs.config ? { file: '/data/config.json', values: inputs.config } : null;
  return resolveSettings({ flags: inputs.flags ?? {}, env: inputs.env ?? {}, config, machine });
}

describe('resolveSettings', () => {
  it('has a default for everything that needs one', () => {
    expect(settingValues(resolve({}))).toEqual({
      home: '/data/listing-video',
      out: '/work/videos',
      template: undefined,
      music: undefined,
      ratio: undefined,
      preview: undefined,
      quality: 'standard',
      unbrandedKeep: ['price', 'status'],
      minAssets: 1,
      untrusted: false,
      concurrency: 4,
      ffmpeg: undefined,
      cacheSize: 5_000_000_000,
      pictures: 'auto',
      render: true,
      proxyFiles: false,
      port: 8080,
      host: '127.0.0.1',
      publicUrl: undefined,
      grace: 30_000,
      bodyLimit: 4_194_304,
      queueLimit: 10_000,
      keep: undefined,
      allowAnonymous: false,
      allowAssetsFrom: [],
      denyAssetsFrom: [],
      corsOrigin: [],
      requestsPerMinute: 1200,
      connectionsPerAddress: 100,
      trustProxy: [],
    });
  });

  it('prefers flag to environment to config to default', () => {
    const config = { quality: 'high' };
    const env = { LISTING_VIDEO_QUALITY: 'draft' };
    expect(resolve({}).quality).toEqual({ value: 'standard', source: 'default' });
    expect(resolve({ config }).quality).toEqual({ value: 'high', source: 'config' });
    expect(resolve({ config, env }).quality).toEqual({ value: 'draft', source: 'env' });
    expect(resolve({ config, env, flags: { quality: 'standard' } }).quality).toEqual({
      value: 'standard',
      source: 'flag',
    });
  });

  it('validates only the value that wins', () => {
    expect(resolve({ flags: { quality: 'high' }, env: { LISTING_VIDEO_QUALITY: 'bad' } }).quality.value).toBe(
      'high',
    );
  });

  it('takes an empty variable and a null in the config file as absent', () => {
    const { quality } = resolve({ env: { LISTING_VIDEO_QUALITY: '' }, config: { quality: null } });
    expect(quality.source).toBe('default');
  });

  it('makes paths absolute', () => {
    expect(resolve({ flags: { out: 'x/../y' } }).out.value).toBe('/work/y');
    expect(resolve({ env: { LISTING_VIDEO_HOME: '/elsewhere' } }).home.value).toBe('/elsewhere');
  });

  it('never takes home from the config file, which lies in it', () => {
    expect(resolve({ config: { home: '/elsewhere' } }).home.source).toBe('default');
  });

  it.each([
    [{ flags: { minAssets: '101' } }, '--min-assets: expected a whole number from 1 to 100, found "101"'],
    [
      { env: { LISTING_VIDEO_PREVIEW: 'maybe' } },
      'the environment variable LISTING_VIDEO_PREVIEW: expected true or false, found "maybe"',
    ],
    [
      { config: { 'cache-size': '5 parsec' } },
      '"cache-size" in /data/config.json: expected a size such as 5GB',
    ],
    [
      { config: { concurrency: 2.5 } },
      '"concurrency" in /data/config.json: expected a whole number from 1 to 64',
    ],
    [{ config: { out: 7 } }, '"out" in /data/config.json: expected a path, found 7'],
  ])('names the place of a bad value: %j', (inputs, message) => {
    expect(() => resolve(inputs)).toThrow(expect.objectContaining({ code: 'setting_invalid' }));
    expect(() => resolve(inputs)).toThrow(message);
  });

  it('suggests the choice that is near', () => {
    expect(() => resolve({ flags: { quality: 'standart' } })).toThrow(
      expect.objectContaining({ hint: 'did you mean standard?' }),
    );
  });
});

describe('--no-…', () => {
  it('sets aside what the variable and the config file say, where there may be none', () => {
    const env = { LISTING_VIDEO_SERVER: 'https://videos.example' };
    expect(resolve({ env }).server).toEqual({ value: 'https://videos.example', source: 'env' });
    expect(resolve({ env, flags: { server: false } }).server).toEqual({ value: undefined, source: 'flag' });
    expect(resolve({ flags: { preview: false } }).preview).toEqual({ value: false, source: 'flag' });
  });
});

describe('the table of settings', () => {
  it.each(SETTING_NAMES)('%s is spelt the same as flag, variable and key', (name) => {
    const { flag, env, configKey } = SETTINGS[name];
    const words = flag.slice(2);
    expect(env).toBe(`LISTING_VIDEO_${words.toUpperCase().replaceAll('-', '_')}`);
    expect([null, words]).toContain(configKey);
    expect(name).toBe(words.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()));
  });
});

describe('unknownConfigKeys', () => {
  it('names what no setting is called, with the nearest', () => {
    expect(unknownConfigKeys({ quality: 'high', $schema: 'x', concurency: 1, zebra: 2 })).toEqual([
      'unknown setting "concurency", did you mean "concurrency"?',
      'unknown setting "zebra"',
    ]);
  });
});
