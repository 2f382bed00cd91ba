/** Whose request it is, behind proxies that are trusted and others. */
import { describe, expect, it } from 'vitest';
import {
  clientAddressOf,
  createTrustedProxies,
  isLoopbackAddress,
  networkOf,
} from '../../../src/api/server/sockets/client-address.ts';

function addressOf(
  peer: string | undefined,
  forwarded?: string | string[],
  trusted: string[] = ['10.0.0.0/8', 'fd00::/8'],
) {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return clientAddressOf(
    { socket: { remoteAddress: peer as string }, headers: headers as Record<string, string> },
    createTrustedProxies(trusted),
  );
}

describe('the client of a request', () => {
  it.each<[string, string, string | undefined, string]>([
    ['a stranger who names another', '203.0.113.7', '198.51.100.1', '203.0.113.7'],
    ['a client behind a proxy', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['a client behind two proxies', '10.0.0.1', '198.51.100.1, 10.0.0.2', '198.51.100.1'],
    ['a client who wrote the header itself', '10.0.0.1', '127.0.0.1, 10.9.9.9, 198.51.100.1', '198.51.100.1'],
    ['a client within the trusted network', '10.0.0.1', '10.0.0.3', '10.0.0.3'],
    ['a proxy that asks for itself', '10.0.0.1', undefined, '10.0.0.1'],
    ['an empty header', '10.0.0.1', '', '10.0.0.1'],
    ['a proxy that hides its client', '10.0.0.1', '198.51.100.1, unknown', '10.0.0.1'],
    ['nonsense to the left', '10.0.0.1', '<script>, 198.51.100.1', '198.51.100.1'],
    ['a port', '10.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
    ['IPv6 with a port', '10.0.0.1', '[2001:db8::1]:4711', '2001:db8::1'],
    ['IPv6 without', '10.0.0.1', '2001:db8::1', '2001:db8::1'],
    ['a proxy as a socket for both families shows it', '::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['a client in that form', '10.0.0.1', '::ffff:198.51.100.1', '198.51.100.1'],
    ['a proxy with IPv6', 'fd00::1', '198.51.100.1', '198.51.100.1'],
    ['a link-local peer', 'fe80::1%eth0', '198.51.100.1', 'fe80::1'],
  ])('%s', (_, peer, forwarded, expected) => {
    expect(addressOf(peer, forwarded)).toBe(expected);
  });

  it('is the peer as long as no proxy is trusted', () => {
    expect(addressOf('127.0.0.1', '198.51.100.1', [])).toBe('127.0.0.1');
  });

  it('is unknown once it has left', () => {
    expect(addressOf(undefined, '198.51.100.1')).toBeUndefined();
  });

  it('is found by single addresses too, with brackets or without', () => {
    for (const place of ['2001:db8::5', '[2001:db8::5]']) {
      expect(addressOf('2001:db8::5', '198.51.100.1', [place])).toBe('198.51.100.1');
      expect(addressOf('2001:db8::6', '198.51.100.1', [place])).toBe('2001:db8::6');
    }
  });
});

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::6', '2001:db8:0:0::/64'],
  ['2001:0DB8::', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['1::2:3:4:5:6:7', '1:0:2:3::/64'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
])('%s counts to %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

it('loopback is 127.0.0.0/8 and ::1', () => {
  expect(['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1'].map(isLoopbackAddress)).not.toContain(false);
  expect(
    ['128.0.0.1', '10.0.0.1', '::', '::2', '127.evil', 'localhost', ''].map(isLoopbackAddress),
  ).not.toContain(true);
});
