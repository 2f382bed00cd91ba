/**
 * Bodies that are made to cost: how long the server is busy with one, how large its answer is, and how many it takes at
 * once.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type AnyJson, openHarness } from '../api/server/harness.ts';
import { type RunningOptions, serviceOpener } from '../api/server/running-service.ts';
import { aListing } from '../listing/a-listing.ts';

const MIB = 1024 * 1024;
const LARGE = { config: { bodyLimitBytes: 4 * MIB } };
/** Several times what any of them takes. Before, 20,000 empty agents took more than 4 s. */
const DEADLINE_CPU_MS = 2_000;

/** CPU time of this process that the work takes, in ms: the same on a busy machine as on a quiet one. */
async function cpuMsOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const withAgent = (extra: object): AnyJson => ({
  ...aListing(),
  agents: [{ ...aListing().agents[0], ...extra }],
});
const keys = (count: number, make: (n: number) => string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [make(n), 'v']));

describe('a listing of more than 20,000 JSON values', () => {
  it.each<[string, AnyJson, number]>([
    ['valid, of many phones', withAgent({ phones: Array(15_000).fill({ number: '503 555 0100' }) }), 30_019],
    ['of empty arrays', Array(30_000).fill([]), 30_001],
    ['of nested empty objects', Array(15_000).fill([{}]), 30_001],
    ['of names', keys(30_000, String), 30_001],
  ])('%s is refused with their number', async (_, listing, values) => {
    const api = openHarness(LARGE);
    const { status, json } = await api.post(listing);
    expect([status, json.code, json.context]).toEqual([400, 'body_too_large', { values, limit: 20_000 }]);
    expect((await api.store.list({ limit: 1 })).data).toEqual([]);
  });

  it('begins at 20,001, and names of properties and text with commas do not count', async () => {
    const api = openHarness(LARGE);
    const statusOf = async (count: number): Promise<number> =>
      (await api.post(`[ ${Array(count).fill('"a,[{\\",,"').join(' ,\n')} ]`)).status;
    expect([await statusOf(19_999), await statusOf(20_000)]).toEqual([422, 400]);
  });

  it('costs no more than a look at its bytes', async () => {
    const api = openHarness(LARGE);
    const text = `[${'[],'.repeat(1_300_000)}[]]`;
    expect(await cpuMsOf(() => api.post(text))).toBeLessThan(DEADLINE_CPU_MS);
  });
});

describe('a listing of almost 20,000 JSON values', () => {
  it.each<[string, AnyJson, number]>([
    ['valid', withAgent({ phones: Array(9_900).fill({ number: '1-800-FLOWERS' }) }), 202],
    ['of empty agents', { ...aListing(), agents: Array(19_900).fill({}) }, 422],
    ['of agents that are numbers', { ...aListing(), agents: Array(19_900).fill(0) }, 422],
    ['of empty licenses', withAgent({ licenses: Array(19_900).fill({}) }), 422],
    [
      'of invalid addresses',
      withAgent({ emails: Array(9_900).fill({ address: `a@${'b.'.repeat(180)}c` }) }),
      422,
    ],
    [
      'of invalid names',
      withAgent({ video_options: { metadata: keys(19_900, (n) => `[${n}]`.padEnd(190, 'k')) } }),
      422,
    ],
  ])('%s is answered soon and not at length', async (_, listing, status) => {
    const api = openHarness(LARGE);
    // The schema is compiled at the first listing; a server does that when it starts.
    await api.post(aListing());
    let answer = await api.post({});
    const cpuMs = await cpuMsOf(async () => {
      answer = await api.post(listing);
    });
    expect(answer.status).toBe(status);
    expect(answer.text.length).toBeLessThan(4 * MIB);
    expect(cpuMs).toBeLessThan(DEADLINE_CPU_MS);
  });

  it('shows as many violations as fit, and says how many do not', async () => {
    const api = openHarness(LARGE);
    const { json } = await api.post({ ...aListing(), agents: Array(19_900).fill({}) });
    const last = json.detail.at(-1);
    expect(last).toEqual({
      loc: ['body'],
      type: 'value_error',
      msg: expect.stringMatching(/^Value error, \d+ more violations are not shown$/),
      ctx: { error: expect.any(String) },
    });
    const hidden = Number(/\d+/.exec(last.msg)![0]);
    // Too many agents, and three missing fields of each.
    expect(json.detail.length - 1 + hidden).toBe(1 + 3 * 19_900);
    expect(json.detail.length).toBeGreaterThan(10_000);
  });
});

describe('bodies that arrive at the same time', () => {
  const open = serviceOpener();
  const sockets: Socket[] = [];

  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });

  async function serve(options: RunningOptions = {}) {
    const service = await open(options);
    const url = await service.service.start();
    const [greedy, modest] = await Promise.all(
      ['greedy', 'modest'].map(async (name) => {
        const { id: organizationId } = await service.accounts.createOrganization({ name });
        return (await service.accounts.createKey({ organizationId })).key;
      }),
    );
    /** Sends a head, and a body as far as it is given; the connection stays. */
    const begin = async (key: string, headers: string, body: string | Buffer = ''): Promise<Socket> => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      sockets.push(socket);
      socket.on('error', () => {});
      await once(socket, 'connect');
      socket.write(
        `POST /v1/tasks HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: ${key}\r\nContent-Type: application/json\r\n${headers}\r\n`,
      );
      if (body.length > 0) socket.write(body);
      return socket;
    };
    const post = async (key: string) => {
      const response = await fetch(`${url}/v1/tasks`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify(aListing()),
      });
      const { code } = (await response.json()) as { code?: string };
      return { status: response.status, code, retryAfter: response.headers.get('retry-after') };
    };
    return { service, greedy: greedy!, modest: modest!, begin, post };
  }

  const CONTINUE = 'Expect: 100-continue\r\n';

  it('are refused with 503 beyond the bytes of one organization, before they are sent, and others are served', async () => {
    const { greedy, modest, begin, post } = await serve({ bodyLimitBytes: MIB });
    // 8 of 1 MiB are half of 16.
    for (let n = 0; n < 8; n++) {
      const socket = await begin(greedy, `${CONTINUE}Content-Length: ${MIB}\r\n`);
      expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1\.1 100 /);
    }
    const refused = await begin(greedy, `${CONTINUE}Content-Length: ${MIB}\r\n`);
    expect(String(await once(refused, 'data'))).toMatch(
      /^HTTP\/1\.1 503 .*retry-after: 1\r\n.*"unavailable"/is,
    );
    expect(await post(greedy)).toMatchObject({ status: 503, code: 'unavailable', retryAfter: '1' });
    expect((await post(modest)).status).toBe(202);
  });

  it('count by the bytes that came when nothing was announced', async () => {
    const { greedy, modest, begin, post } = await serve({ bodyLimitBytes: MIB });
    const chunk = Buffer.concat([Buffer.from('f0000\r\n'), Buffer.alloc(0xf0000, 0x20), Buffer.from('\r\n')]);
    const uploads: Socket[] = [];
    for (let n = 0; n < 9; n++) uploads.push(await begin(greedy, 'Transfer-Encoding: chunked\r\n', chunk));
    const answer = await Promise.race(uploads.map(async (socket) => String(await once(socket, 'data'))));
    expect(answer).toMatch(/^HTTP\/1\.1 503 .*"unavailable"/s);
    expect((await post(modest)).status).toBe(202);
  });

  it('of two organizations that do not go on sending give way to a third, which has less', async () => {
    const { service, greedy, modest, begin, post } = await serve({ bodyLimitBytes: MIB });
    const held: Socket[] = [];
    for (const key of [greedy, modest]) {
      for (let n = 0; n < 8; n++) {
        const socket = await begin(key, `${CONTINUE}Content-Length: ${MIB}\r\n`);
        await once(socket, 'data');
        held.push(socket);
      }
    }
    const refused = once(held[0]!, 'data');
    const { id: organizationId } = await service.accounts.createOrganization({ name: 'third' });
    const third = (await service.accounts.createKey({ organizationId })).key;
    expect((await post(third)).status).toBe(202);
    expect(String((await refused)[0])).toMatch(/^HTTP\/1\.1 503 .*"unavailable"/s);
  });

  it('that break off give their place back', async () => {
    const { greedy, begin, post } = await serve({ bodyLimitBytes: MIB });
    for (let n = 0; n < 8; n++) {
      await once(await begin(greedy, `${CONTINUE}Content-Length: ${MIB}\r\n`), 'data');
    }
    expect((await post(greedy)).status).toBe(503);
    for (const socket of sockets) socket.destroy();
    await expect.poll(async () => (await post(greedy)).status).toBe(202);
  });
});
