/** Which connection gives way when there are too many. */
import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { ConnectionGate, type ConnectionState } from '../../../src/api/server/sockets/connection-gate.ts';

class FakeSocket extends EventEmitter {
  isOpen = true;
  bytesWritten = 0;
  destroy(): this {
    this.isOpen = false;
    // Like a real one, which reports it later.
    queueMicrotask(() => this.emit('close'));
    return this;
  }
}

function openGate(limits: { maxConnections?: number; maxConnectionsPerAddress?: number }) {
  let nowMs = 0;
  const gate = new ConnectionGate<FakeSocket>({
    monotonicMs: () => nowMs,
    maxConnections: 100,
    maxConnectionsPerAddress: 100,
    isShared: (address) => address === '192.0.2.99',
    ...limits,
  });
  return {
    gate,
    wait(ms: number) {
      nowMs += ms;
    },
    enter(address: string, state: ConnectionState = 'idle') {
      const socket = new FakeSocket();
      gate.enter(socket, address);
      gate.setState(socket, state);
      return socket;
    },
  };
}

const openOf = (sockets: readonly FakeSocket[]): boolean[] => sockets.map(({ isOpen }) => isOpen);

describe('at the limit of an address', () => {
  it('its own connections give way, the longest idle first, and no others', () => {
    const { enter } = openGate({ maxConnectionsPerAddress: 2 });
    const other = enter('192.0.2.1');
    const sockets = [enter('192.0.2.2'), enter('192.0.2.2'), enter('192.0.2.2')];
    expect(openOf([other, ...sockets])).toEqual([true, false, true, true]);
  });

  it('a new connection is closed when all of the address are working', () => {
    const { gate, enter } = openGate({ maxConnectionsPerAddress: 2 });
    const sockets = [enter('192.0.2.2', 'working'), enter('192.0.2.2', 'working'), enter('192.0.2.2')];
    expect(openOf(sockets)).toEqual([true, true, false]);
    expect(openOf([enter('192.0.2.3')])).toEqual([true]);
    expect(gate.size).toBe(3);
  });

  it('a /64 network counts as one address, IPv4 in IPv6 as IPv4', () => {
    const { enter } = openGate({ maxConnectionsPerAddress: 2 });
    const six = ['2001:db8::1', '2001:db8:0:0:ffff::2', '2001:db8:0:0:1:2:3:4', '2001:db8:0:1::1'];
    expect(openOf(six.map((address) => enter(address, 'working')))).toEqual([true, true, false, true]);
    const four = ['192.0.2.5', '::ffff:192.0.2.5', '::ffff:192.0.2.5'];
    expect(openOf(four.map((address) => enter(address, 'working')))).toEqual([true, true, false]);
  });

  it('a proxy has no limit of its own', () => {
    const { enter } = openGate({ maxConnectionsPerAddress: 1 });
    expect(openOf([1, 2, 3].map(() => enter('192.0.2.99', 'working')))).toEqual([true, true, true]);
  });

  it('a closed connection gives its place back', async () => {
    const { gate, enter } = openGate({ maxConnectionsPerAddress: 1 });
    enter('192.0.2.2', 'working').emit('close');
    expect(enter('192.0.2.2', 'working').isOpen).toBe(true);
    expect(gate.size).toBe(1);
  });
});

describe('at the limit of all connections', () => {
  it('the one whose client reads most slowly gives way when none is idle, and one that has just begun does not', () => {
    const { enter, wait } = openGate({ maxConnections: 3 });
    const slow = enter('192.0.2.1', 'sending');
    const fast = enter('192.0.2.2', 'sending');
    slow.bytesWritten = 2_000_000;
    fast.bytesWritten = 20_000_000;
    wait(20_000);
    const begun = enter('192.0.2.3', 'sending');
    const next = enter('192.0.2.4', 'working');
    expect(openOf([slow, fast, begun, next])).toEqual([false, true, true, true]);
  });

  it('idle ones give way before those that receive a body, and working ones never', () => {
    const { enter } = openGate({ maxConnections: 4 });
    const sockets = [
      enter('192.0.2.1', 'working'),
      enter('192.0.2.2', 'receiving'),
      enter('192.0.2.3', 'receiving'),
      enter('192.0.2.4', 'idle'),
    ];
    const later = [1, 2, 3].map(() => enter('192.0.2.5', 'working'));
    expect(openOf([...sockets, ...later])).toEqual([true, false, false, false, true, true, true]);
    expect(enter('192.0.2.6').isOpen).toBe(false);
  });

  it('the time of idleness counts, not the age of the connection', () => {
    const { gate, enter } = openGate({ maxConnections: 2 });
    const [first, second] = [enter('192.0.2.1'), enter('192.0.2.2')];
    gate.setState(first, 'working');
    gate.setState(first, 'idle');
    enter('192.0.2.3');
    expect(openOf([first, second])).toEqual([true, false]);
  });

  it('one that was closed to make room counts once, however late it reports its end', async () => {
    const { gate, enter } = openGate({ maxConnections: 1 });
    for (let n = 0; n < 10; n++) enter('192.0.2.1');
    expect(gate.size).toBe(1);
    await Promise.resolve();
    expect(gate.size).toBe(1);
  });
});
