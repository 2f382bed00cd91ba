/** Passwords of proxies and databases do not reach a bug report. */
import { expect, it } from 'vitest';
import { redactText, redactWords, secretsOf } from '../../src/cli/debug/redact.ts';

it.each(['http://ann:s3cr3t-word@proxy.example:3128', 'ann:s3cr3t-word@proxy.example:3128'])(
  'the password of HTTPS_PROXY=%s is removed wherever it stands',
  (proxy) => {
    const secrets = secretsOf({ HTTPS_PROXY: proxy, no_proxy: 'a.example' });
    const text = redactText(`HTTPS_PROXY=${proxy} and s3cr3t-word, not for a.example`, secrets);
    expect(text).not.toContain('s3cr3t');
    expect(text).toContain('proxy.example:3128');
    expect(text).toContain('not for a.example');
  },
);

it('the address of a database and its password are removed', () => {
  const address = 'postgres://ann:s3cr3t-word@db.example/videos';
  const secrets = secretsOf({ LISTING_VIDEO_DATABASE: address });
  const text = redactText(`${address} with s3cr3t-word at db.example`, secrets);
  expect(text).toBe('[redacted] with [redacted] at db.example');
  expect(redactWords(['--database', address, `--database=${address}`], [])).toEqual([
    '--database',
    '[redacted]',
    '--database=[redacted]',
  ]);
});

it('the secret of a webhook is removed', () => {
  expect(redactWords(['webhooks', 'delete', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], [])).toEqual([
    'webhooks',
    'delete',
    '[redacted]',
  ]);
});
