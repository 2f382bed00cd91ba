/** Passwords of proxies do not reach a bug report. */
import { expect, it } from 'vitest';
import { redactText, secretsOf } from '../../src/cli/debug/redact.ts';

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
