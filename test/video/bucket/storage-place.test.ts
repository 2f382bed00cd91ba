/** Where the bucket is: the setting, and the variables of every S3 tool. */
import { describe, expect, it } from 'vitest';
import { storageUrlKind } from '../../../src/platform/settings/value-kind.ts';
import { readStoragePlace } from '../../../src/video/bucket/storage-place.ts';

const KEYS = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: '5ecre7' };
const parse = (text: string) => storageUrlKind('<url>').parse(text, { cwd: '/' });

describe('the setting', () => {
  it('is a bucket, or a prefix in one', () => {
    expect(parse('s3://films')).toBe('s3://films');
    expect(parse('s3://films/a/b_c/')).toBe('s3://films/a/b_c');
  });

  it('is no other address, and no prefix that looks different in keys, URLs and rules', () => {
    const wrong = ['', 'films', 'https://films', 's3://', 's3:///a', 's3://user:pw@films', 's3://films/a//b'];
    for (const text of [
      ...wrong,
      's3://films/..',
      's3://films/a b',
      's3://films/%2e',
      's3://films?x',
      's3://f\n',
    ])
      expect([text, parse(text)]).toEqual([text, null]);
  });
});

describe('the place', () => {
  it('is at Amazon without an endpoint, in the host unless the name has dots', () => {
    const env = { ...KEYS, AWS_REGION: 'eu-west-1' };
    expect(readStoragePlace('s3://films/a', env)).toMatchObject({
      bucket: 'films',
      prefix: 'a/',
      endpoint: 'https://s3.eu-west-1.amazonaws.com',
      origin: 'https://films.s3.eu-west-1.amazonaws.com',
    });
    expect(readStoragePlace('s3://my.films', env)).toMatchObject({
      prefix: '',
      origin: 'https://s3.eu-west-1.amazonaws.com',
    });
  });

  it('is at the endpoint of S3 before that of all services', () => {
    const env = { ...KEYS, AWS_ENDPOINT_URL: 'https://all.example', AWS_DEFAULT_REGION: 'xy' };
    expect(readStoragePlace('s3://films', env)).toMatchObject({
      origin: 'https://all.example',
      region: 'xy',
    });
    const own = { ...env, AWS_ENDPOINT_URL_S3: 'http://10.0.0.7:9000/s3/' };
    expect(readStoragePlace('s3://films', own)).toMatchObject({
      endpoint: 'http://10.0.0.7:9000/s3',
      origin: 'http://10.0.0.7:9000',
    });
  });

  it('needs both keys, and shows none of them', () => {
    for (const env of [{}, { AWS_ACCESS_KEY_ID: 'id' }, { ...KEYS, AWS_SECRET_ACCESS_KEY: ' ' }])
      expect(() => readStoragePlace('s3://films', env)).toThrow(/needs the environment variable AWS_/);
    for (const url of ['http://id:5ecre7@s3', 'ftp://s3', 's3', 'http://s3?key=5ecre7']) {
      const read = () => readStoragePlace('s3://films', { ...KEYS, AWS_ENDPOINT_URL: url });
      expect(read).toThrow(/^AWS_ENDPOINT_URL: expected an address such as/);
      expect(read).not.toThrow(/5ecre7/);
    }
  });
});
