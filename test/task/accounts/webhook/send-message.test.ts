/** One request to a receiver: what is sent, what is kept of the answer, what a hostile receiver or name cannot do. */
import type { lookup as systemLookup } from 'node:dns';
import { createServer } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, it } from 'vitest';
import type { AddressPolicy } from '../../../../src/platform/network/guard-address.ts';
import { type NetworkDeps, systemNetworkDeps } from '../../../../src/platform/network/guarded-connector.ts';
import { sendMessage } from '../../../../src/task/webhooks/send-message.ts';
import { type Route, startServer } from '../../../media/assets/loopback-server.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OWN: AddressPolicy = { allowPrivate: true, allowFrom: [] };
const PUBLIC: AddressPolicy = { allowPrivate: false, allowFrom: [] };

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const thing of open.splice(0)) await thing.close();
});

/** Every name leads to these addresses, one list for each lookup; the last one stays. */
function resolving(...answers: readonly (readonly string[])[]): NetworkDeps {
  let calls = 0;
  const lookup = ((_name: string, _options: object, done: (error: null, found: object[]) => void) => {
    const addresses = answers[Math.min(calls++, answers.length - 1)]!;
    done(
      null,
      addresses.map((address) => ({ address, family: 4 })),
    );
  }) as unknown as typeof systemLookup;
  return { ...systemNetworkDeps, lookup };
}

interface Sent {
  readonly policy?: AddressPolicy;
  readonly network?: NetworkDeps;
  readonly signal?: AbortSignal;
}

function send(url: string, { policy = OWN, network = systemNetworkDeps, signal }: Sent = {}) {
  const message = { url, messageId: 'msg_1', body: '{"type":"task.failed"}', secrets: [SECRET] };
  const options = { policy, proxies: null, network, nowMs: () => Date.now() };
  return sendMessage(message, options, signal ?? new AbortController().signal);
}

async function receiver(route: Route) {
  const server = await startServer({ '/hook': route, '/other': (response) => response.end('no') });
  open.push(server);
  return server;
}

/** A receiver of raw bytes. */
async function rawReceiver(answer: string): Promise<string> {
  const server = createServer((socket) => socket.on('error', () => {}).end(answer));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(server);
  return `http://127.0.0.1:${(server.address() as { port: number }).port}/hook`;
}

describe('a message', () => {
  it('is a signed POST of JSON, and its answer is kept', async () => {
    let body = '';
    const { origin, headers, requests } = await receiver((response, request) => {
      request.on('data', (piece) => {
        body += piece;
      });
      request.on('end', () => response.writeHead(202).end('taken\nover'));
    });
    const attempt = await send(`${origin}/hook?token=1`);
    expect(attempt).toEqual({
      at: expect.stringMatching(/Z$/),
      durationMs: expect.any(Number),
      status: 202,
      error: null,
      response: 'taken over',
    });
    expect(requests).toEqual(['/hook?token=1']);
    expect(headers[0]).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'listing-video' });
    expect(new Webhook(SECRET).verify(body, headers[0] as Record<string, string>)).toEqual({
      type: 'task.failed',
    });
  });

  it.each([301, 302, 307, 308])('does not follow the redirect of a %d', async (status) => {
    const { origin, requests } = await receiver((response) => {
      response.writeHead(status, { location: '/other' }).end();
    });
    expect(await send(`${origin}/hook`)).toMatchObject({ status, error: null });
    expect(requests).toEqual(['/hook']);
  });

  it('gets one line of safe text from an answer of control characters', async () => {
    const { origin } = await receiver((response) => {
      response.end(Buffer.from('\u001b[2J\u001b]0;owned\u0007 a\u0000\r\n\u202eb\u200b\u2028 \ud83c\udfe1'));
    });
    const { response } = await send(`${origin}/hook`);
    expect(response).toBe('\ufffd[2J\ufffd]0;owned\ufffd a\ufffd \ufffdb\ufffd 🏡');
  });

  it('gets text from an answer of any bytes', async () => {
    const bytes = Buffer.from(Array.from({ length: 512 }, (_, index) => index % 256));
    const { origin } = await receiver((response) => response.end(bytes));
    expect((await send(`${origin}/hook`)).response).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
  });

  it('reads 4 KB of an endless answer and hangs up', async () => {
    let closed = (): void => {};
    const isClosed = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const { origin } = await receiver((response) => {
      response.on('close', closed);
      const more = (): void => {
        if (response.write('x'.repeat(1_000))) setImmediate(more);
        else response.once('drain', more);
      };
      more();
    });
    const { status, response } = await send(`${origin}/hook`);
    expect([status, response.length]).toEqual([200, 4_096]);
    await isClosed;
  });

  it('is not unpacked when its answer is a bomb', async () => {
    const { origin, headers } = await receiver((response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(Buffer.alloc(100, 7));
    });
    expect((await send(`${origin}/hook`)).response.length).toBeLessThanOrEqual(100);
    expect(headers[0]!['accept-encoding']).toBe('identity');
  });

  it.each([
    ['nothing', ''],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['endless headers', `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(40_000)}`],
    ['half an answer', 'HTTP/1.1 20'],
  ])('has no status when %s comes back', async (_, answer) => {
    const attempt = await send(await rawReceiver(answer));
    expect(attempt).toMatchObject({ status: null, response: '' });
    expect(attempt.error).toMatch(/^unreachable: /);
  });

  it('says when nobody listens', async () => {
    const server = await receiver(() => {});
    await server.close();
    const attempt = await send(`${server.origin}/hook`);
    expect(attempt).toMatchObject({ status: null, error: 'unreachable: connection refused' });
  });
});

describe('the limit of 10 seconds', () => {
  /** Timers that only the test runs. */
  const handTimers = () => {
    const timers: { run: () => void; delayMs: number }[] = [];
    const network: NetworkDeps = {
      ...systemNetworkDeps,
      setTimer: (run, delayMs) => timers.push({ run, delayMs }),
      clearTimer: () => {},
    };
    return { network, runTotal: () => timers.find(({ delayMs }) => delayMs === 10_000)!.run() };
  };

  it('ends a request that is not answered', async () => {
    const { network, runTotal } = handTimers();
    const { origin } = await receiver(() => runTotal());
    const attempt = await send(`${origin}/hook`, { network });
    expect(attempt).toMatchObject({ status: null, error: 'timeout: no answer within 10 s' });
  });

  it('ends an answer that trickles; its status counts', async () => {
    const { network, runTotal } = handTimers();
    const { origin } = await receiver((response) => {
      response.writeHead(500).write('slow');
      // When these have come back, so has the start of the answer.
      const { port } = response.socket!.address() as { port: number };
      const ask = () => fetch(`http://127.0.0.1:${port}/other`).then((other) => other.text());
      void ask().then(ask).then(ask).then(runTotal);
    });
    const attempt = await send(`${origin}/hook`, { network });
    expect(attempt).toMatchObject({ status: 500, error: null });
  });

  it('ends an endless row of interim answers', async () => {
    const { network, runTotal } = handTimers();
    const { origin } = await receiver((response) => {
      for (let n = 0; n < 50; n++) response.writeProcessing();
      setImmediate(runTotal);
    });
    expect((await send(`${origin}/hook`, { network })).error).toBe('timeout: no answer within 10 s');
  });

  it('holds for a name server that does not answer', async () => {
    const { network, runTotal } = handTimers();
    const silent = { ...network, lookup: (() => setImmediate(runTotal)) as unknown as typeof systemLookup };
    const attempt = await send('http://hook.example/', { network: silent });
    expect(attempt.error).toBe('timeout: no answer within 10 s');
  });

  it('is not that of a server that stops: the attempt does not count', async () => {
    const stop = new AbortController();
    const { origin } = await receiver(() => stop.abort(new Error('the server stops')));
    await expect(send(`${origin}/hook`, { signal: stop.signal })).rejects.toThrow('the server stops');
    await expect(send(`${origin}/hook`, { signal: stop.signal })).rejects.toThrow('the server stops');
  });
});

describe('the address guard', () => {
  const REFUSED = { status: null, error: 'blocked_address: the host is not on the public internet' };

  it.each([
    'http://127.0.0.1:9/hook',
    'http://[::1]:9/hook',
    'http://[::ffff:10.0.0.1]/hook',
    'http://169.254.169.254/latest/meta-data',
    'http://0x7f000001/',
    'http://2130706433/',
    'http://192.168.1.1/',
  ])('refuses %s', async (url) => {
    expect(await send(url, { policy: PUBLIC })).toMatchObject(REFUSED);
  });

  it('refuses a public name that leads to a private address', async () => {
    const { origin, port, requests } = await receiver((response) => response.end());
    for (const addresses of [['127.0.0.1'], ['10.1.2.3'], ['169.254.169.254']]) {
      const network = resolving(addresses);
      expect(await send(`http://hook.example:${port}/hook`, { policy: PUBLIC, network })).toMatchObject(
        REFUSED,
      );
    }
    expect(requests).toEqual([]);
    expect((await send(`${origin}/hook`)).status).toBe(200);
  });

  it('asks the name again for each attempt, so a name that changes is refused from then on', async () => {
    const { port, requests } = await receiver((response) => response.end());
    const named = { allowPrivate: false, allowFrom: ['127.0.0.1'] };
    const network = resolving(['127.0.0.1'], ['127.0.0.2']);
    const url = `http://rebinding.example:${port}/hook`;
    expect(await send(url, { policy: named, network })).toMatchObject({ status: 200 });
    expect(await send(url, { policy: named, network })).toMatchObject(REFUSED);
    expect(requests).toEqual(['/hook']);
  });

  it('refuses metadata addresses, also where private ones are allowed', async () => {
    expect(await send('http://169.254.169.254/')).toMatchObject(REFUSED);
  });

  it('refuses what the operator denies', async () => {
    const policy = { ...OWN, denyFrom: ['127.0.0.0/8'] };
    const attempt = await send('http://127.0.0.1:9/', { policy });
    expect(attempt.error).toBe('blocked_address: this host is not allowed here');
  });
});
