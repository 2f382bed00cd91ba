/** Signatures, held against the library of Standard Webhooks. */
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { newSecret, signatureHeaders } from '../../../../src/task/webhooks/sign-message.ts';

/** The library refuses messages that are older than 5 minutes. */
const parts = (body: string) => ({ messageId: 'msg_1', timestampSec: Math.floor(Date.now() / 1000), body });

describe('a signature', () => {
  it.each(['{"type":"task.succeeded"}', '{"name":"Ünïcödé 🏡"}', '{}'])('of %s is accepted', (body) => {
    const secret = newSecret();
    const headers = signatureHeaders(parts(body), [secret]);
    expect(new Webhook(secret).verify(body, { ...headers })).toEqual(JSON.parse(body));
    expect(() => new Webhook(secret).verify(`${body} `, { ...headers })).toThrow('No matching signature');
    expect(() => new Webhook(newSecret()).verify(body, { ...headers })).toThrow('No matching signature');
  });

  it('is the same as that of the library', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const message = {
      messageId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestampSec: 1614265330,
      body: '{"test": 2432232314}',
    };
    // The example of the library's own tests.
    expect(signatureHeaders(message, [secret])).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('is made with every secret that is valid, so that a receiver can know any of them', () => {
    const secrets = [newSecret(), newSecret()];
    const headers = signatureHeaders(parts('{}'), secrets);
    for (const secret of secrets) expect(new Webhook(secret).verify('{}', { ...headers })).toEqual({});
  });
});

it('a secret has 24 random bytes', () => {
  const [one, other] = [newSecret(), newSecret()];
  expect(one).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
  expect(one).not.toBe(other);
});
