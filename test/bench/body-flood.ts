/**
 * A process of its own that sends large bodies, all at once and from many addresses of 127.0.0.0/8, so that the one that
 * measures stays idle. `tsx body-flood.ts URL COUNT ADDRESSES BYTES [KEY]` prints how many answers had each status.
 */
import { connect } from 'node:net';

const [url = '', count = '', addresses = '', bytes = '', key = ''] = process.argv.slice(2);
const { hostname, port } = new URL(url);
const start = '{"id":"flood","assets":[],"agents":[],"note":"';
const body = Buffer.from(`${start}${'x'.repeat(Number(bytes) - start.length - 2)}"}`);

/** The status of the answer; `none` if the connection ended without one. */
function post(index: number): Promise<string> {
  return new Promise((resolve) => {
    const localAddress = `127.0.1.${1 + (index % Number(addresses))}`;
    const socket = connect({ host: hostname, port: Number(port), localAddress });
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 'none'));
    socket.write(
      `POST /v1/tasks HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n${
        key === '' ? '' : `X-Api-Key: ${key}\r\n`
      }Content-Length: ${body.length}\r\n\r\n`,
    );
    socket.write(body);
  });
}

const statuses: Record<string, number> = {};
for (const status of await Promise.all(Array.from({ length: Number(count) }, (_, index) => post(index)))) {
  statuses[status] = (statuses[status] ?? 0) + 1;
}
process.stdout.write(JSON.stringify(statuses));
