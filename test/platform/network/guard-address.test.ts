/** Which addresses an asset may come from, by the special-purpose registries of IANA. */
import { describe, expect, it } from 'vitest';
import {
  explainRefusal,
  isAddressAllowed,
  isPublicAddress,
} from '../../../src/platform/network/guard-address.ts';

const STRICT = { allowPrivate: false, allowFrom: [] };

describe('a public address', () => {
  it.each(['8.8.8.8', '93.184.216.34', '2606:4700::1111', '2a00:1450:4001::200e', '::ffff:8.8.8.8'])(
    'is %s',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  it('is what a NAT64 or 6to4 address leads to', () => {
    expect(isPublicAddress('64:ff9b::8.8.8.8')).toBe(true);
    expect(isPublicAddress('2002:808:808::1')).toBe(true);
  });

  it.each([
    '127.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '192.0.0.1',
    '192.0.0.192',
    '192.0.2.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1',
    'fc00::1',
    'fd12::1',
    'fec0::1',
    'ff02::1',
    '100::1',
    '4000::1',
    '::ffff:127.0.0.1',
    '::ffff:a00:1',
    '::127.0.0.1',
    '64:ff9b::127.0.0.1',
    '64:ff9b::10.0.0.1',
    '64:ff9b:1::8.8.8.8',
    '2002:7f00:1::1',
    '2002:a9fe:a9fe::1',
    '168.63.129.16',
    '::ffff:168.63.129.16',
    '::ffff:a83f:8110',
    '64:ff9b::168.63.129.16',
    '2002:a83f:8110::1',
    '100.100.100.200',
    'fd00:ec2::254',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '2001:db8::1',
    '3fff::1',
    '',
    'localhost',
  ])('is not %s', (address) => expect(isPublicAddress(address)).toBe(false));
});

describe('an allowed address', () => {
  it('is any on the user’s own machine', () => {
    expect(isAddressAllowed('localhost', '127.0.0.1', { allowPrivate: true, allowFrom: [] })).toBe(true);
  });

  it('is only a public one on a server', () => {
    expect(isAddressAllowed('example.com', '8.8.8.8', STRICT)).toBe(true);
    expect(isAddressAllowed('example.com', '10.0.0.1', STRICT)).toBe(false);
  });

  it('is a private one whose host is listed by name, in any case, with or without the root’s dot', () => {
    const policy = { allowPrivate: false, allowFrom: ['Photos.Internal'] };
    expect(isAddressAllowed('photos.internal', '10.0.0.1', policy)).toBe(true);
    expect(isAddressAllowed('PHOTOS.internal.', '10.0.0.1', policy)).toBe(true);
    expect(isAddressAllowed('evil-photos.internal', '10.0.0.1', policy)).toBe(false);
    expect(isAddressAllowed('sub.photos.internal', '10.0.0.1', policy)).toBe(false);
  });

  it('is one inside a listed block, by whatever name it was asked for', () => {
    const policy = { allowPrivate: false, allowFrom: ['10.1.0.0/16', 'fd00:1::/32', '192.168.7.7'] };
    expect(isAddressAllowed('any.example', '10.1.255.1', policy)).toBe(true);
    expect(isAddressAllowed('any.example', '10.2.0.1', policy)).toBe(false);
    expect(isAddressAllowed('any.example', '::ffff:10.1.0.9', policy)).toBe(true);
    expect(isAddressAllowed('[fd00:1::5]', 'fd00:1::5', policy)).toBe(true);
    expect(isAddressAllowed('any.example', 'fd00:2::5', policy)).toBe(false);
    expect(isAddressAllowed('192.168.7.7', '192.168.7.7', policy)).toBe(true);
    expect(isAddressAllowed('192.168.7.8', '192.168.7.8', policy)).toBe(false);
  });

  it('is not one that a socket could not name', () => {
    expect(isAddressAllowed('example.com', '', { allowPrivate: false, allowFrom: ['0.0.0.0/0'] })).toBe(
      false,
    );
  });
});

describe('a metadata address', () => {
  const ADDRESSES = [
    '168.63.129.16',
    '169.254.169.254',
    '::ffff:169.254.169.254',
    'fd00:ec2::254',
    '100.100.100.200',
  ];

  it.each(ADDRESSES)('is refused also where private addresses are allowed: %s', (address) => {
    expect(isAddressAllowed('photos.example', address, { allowPrivate: true, allowFrom: [] })).toBe(false);
    expect(isAddressAllowed(address, address, { allowPrivate: true, allowFrom: [] })).toBe(false);
  });

  it('is not allowed by the name of a host, which others can own, but by a block', () => {
    const address = '169.254.169.254';
    const by = (...allowFrom: string[]) => ({ allowPrivate: false, allowFrom });
    expect(isAddressAllowed('photos.internal', address, by('photos.internal'))).toBe(false);
    expect(isAddressAllowed('photos.internal', address, by('169.254.0.0/16'))).toBe(true);
  });

  it('has neighbours that are ordinary addresses', () => {
    expect(isAddressAllowed('photos.example', '168.63.129.17', STRICT)).toBe(true);
  });
});

describe('a denied host', () => {
  const denying = (...denyFrom: string[]) => ({
    allowPrivate: true,
    allowFrom: ['10.0.0.0/8', 'nas'],
    denyFrom,
  });

  it('is refused by its name, in any case, with or without the root’s dot', () => {
    for (const hostname of ['photos.example', 'PHOTOS.example.']) {
      expect(isAddressAllowed(hostname, '8.8.8.8', denying('Photos.Example'))).toBe(false);
    }
    expect(isAddressAllowed('cdn.photos.example', '8.8.8.8', denying('photos.example'))).toBe(true);
  });

  it('is refused by its address in every form, although private addresses and the host are allowed', () => {
    for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '64:ff9b::10.1.2.3']) {
      expect(isAddressAllowed('nas', address, denying('10.1.0.0/16'))).toBe(false);
    }
    expect(isAddressAllowed('nas', '10.2.2.3', denying('10.1.0.0/16'))).toBe(true);
    expect(isAddressAllowed('[2606:4700::1111]', '2606:4700::1111', denying('2606:4700::/32'))).toBe(false);
  });

  it('is named as such only where that shows nothing of a private network', () => {
    const strict = { allowPrivate: false, allowFrom: [], denyFrom: ['8.8.8.0/24', '10.0.0.0/8'] };
    expect(explainRefusal('a.example', '8.8.8.8', strict)).toBe('photos from this host are not allowed here');
    expect(explainRefusal('a.example', '10.0.0.1', strict)).toBe('the host is not on the public internet');
    expect(explainRefusal('a.example', '192.168.0.1', strict)).toBe('the host is not on the public internet');
  });
});
