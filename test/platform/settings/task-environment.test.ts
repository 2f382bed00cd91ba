/** Which variables of a server its tasks get. */
import { expect, it } from 'vitest';
import { taskEnvironment } from '../../../src/platform/settings/task-environment.ts';

const NEEDED = {
  PATH: '/bin',
  HTTPS_PROXY: 'http://proxy.example',
  NODE_EXTRA_CA_CERTS: '/ca.pem',
  FFMPEG_BIN: '/bin/ffmpeg',
  LD_LIBRARY_PATH: '/lib',
};
const AWS = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b', AWS_SESSION_TOKEN: 'c', AWS_REGION: 'd' };
const SECRETS = {
  LISTING_VIDEO_DATABASE: 'postgres://u:p@db/x',
  LISTING_VIDEO_KEY: 'k',
  DATABASE_URL: 'postgres://u:p@db/x',
  PGPASSWORD: 'p',
  STRIPE_API_KEY: 's',
  GITHUB_TOKEN: 't',
};

it('leaves out secrets; the keys of a bucket only where none is used', () => {
  const env = { ...NEEDED, ...AWS, ...SECRETS };
  expect(taskEnvironment(env, false)).toEqual(NEEDED);
  expect(taskEnvironment(env, true)).toEqual({ ...NEEDED, ...AWS });
});
