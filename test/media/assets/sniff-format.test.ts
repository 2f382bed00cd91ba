/** The format comes from the bytes alone. */
import { describe, expect, it } from 'vitest';
import { explainFormat, sniffFormat } from '../../../src/media/assets/decode/sniff-format.ts';
import { dng, tiff } from './sample-pictures.ts';

const latin = (text: string) => Buffer.from(text, 'latin1');
const isoFile = (major: string, ...compatible: string[]) => {
  const body = latin(`ftyp${major}\0\0\0\0${compatible.join('')}`);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(body.length + 4);
  return Buffer.concat([size, body, latin('\0\0\0\x08mdat')]);
};

describe('a supported format', () => {
  it.each([
    ['jpeg', latin('\xff\xd8\xff\xe1')],
    ['png', latin('\x89PNG\r\n\x1a\n\0\0\0\rIHDR')],
    ['gif', latin('GIF89a')],
    ['gif', latin('GIF87a')],
    ['webp', latin('RIFF\x10\0\0\0WEBPVP8L')],
    ['tiff', latin('II*\0\x08\0\0\0')],
    ['tiff', latin('MM\0*\0\0\0\x08')],
    ['avif', isoFile('avif', 'mif1', 'miaf')],
    ['avif', isoFile('mif1', 'mif1', 'avif')],
    ['avif', isoFile('avis', 'avif')],
    ['heic', isoFile('heic', 'mif1', 'heic')],
    ['heic', isoFile('mif1', 'mif1', 'heic')],
    ['heic', isoFile('mif1', 'mif1')],
    ['heic', isoFile('heix', 'mif1', 'miaf')],
    ['heic', isoFile('msf1', 'hevc')],
  ])('is %s', (format, bytes) => expect(sniffFormat(bytes)).toEqual({ kind: 'supported', format }));
});

describe('an unsupported picture', () => {
  it.each([
    ['HEIF', isoFile('avci', 'mif1')],
    ['JPEG XL', latin('\xff\x0a\xfa')],
    ['JPEG XL', latin('\0\0\0\x0cJXL \r\n\x87\n')],
    ['JPEG 2000', latin('\0\0\0\x0cjP  \r\n\x87\n')],
    ['Photoshop (PSD)', latin('8BPS\0\x01')],
    ['ICO', latin('\0\0\x01\0\x01\0')],
    ['BMP', latin(`BM\x36\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0${'\0'.repeat(20)}`)],
    ['Netpbm', latin('P6\n2 2\n255\n')],
    ['SVG', latin('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['SVG', latin('<?xml version="1.0"?><!-- a > b --><svg:svg xmlns:svg="x">')],
    ['SVG', Buffer.from('\ufeff\n <?xml version="1.0"?><!DOCTYPE svg PUBLIC "x" [<!ENTITY a "b">]><svg/>')],
    ['SVG', Buffer.from('\ufeff<svg />', 'utf16le')],
  ])('is %s', (name, bytes) => expect(sniffFormat(bytes)).toEqual({ kind: 'unsupported', name }));
});

/** Nikon, Sony and others store a thumbnail first, and the sensor data in directories below it (tag 330). */
const thumbnailFirst = (make: string, order: 'II' | 'MM' = 'II') =>
  tiff({ 254: 1, 271: make, 330: 900 }, order);

describe('a camera original', () => {
  it.each([
    ['CR2', latin('II*\0\x10\0\0\0CR\x02\0')],
    ['CR3', isoFile('crx ', 'isom')],
    ['NEF', thumbnailFirst('NIKON CORPORATION', 'MM')],
    ['NEF', thumbnailFirst('NIKON CORPORATION')],
    ['ARW', thumbnailFirst('SONY')],
    ['DNG', dng()],
    ['DNG', tiff({ 254: 1, 271: 'Apple', 330: 900, 50706: 1 })],
    ['PEF', tiff({ 259: 65535, 271: 'PENTAX Corporation' })],
    ['RAF', latin('FUJIFILMCCD-RAW 0201')],
    ['ORF', latin('IIRO\x08\0\0\0')],
    ['RW2', latin('IIU\0\x18\0\0\0')],
    ['', tiff({ 262: 32803, 271: 'Pinhole Ltd' })],
  ])('is %s, not its thumbnail', (ending, bytes) => {
    const name = ending === '' ? 'camera raw' : `camera raw (${ending})`;
    expect(sniffFormat(bytes)).toEqual({ kind: 'unsupported', name, isCameraRaw: true });
    expect(explainFormat(sniffFormat(bytes))).toBe(`${name}; export it as JPEG`);
  });

  it.each([
    ['a scan', tiff({ 254: 0, 259: 1, 262: 2 })],
    ['developed by a camera', tiff({ 254: 0, 259: 5, 262: 2, 271: 'NIKON CORPORATION', 330: 900 }, 'MM')],
    ['one page of a fax', tiff({ 254: 2, 259: 4 })],
    ['a reduced picture alone', tiff({ 254: 1, 271: 'SONY' })],
    ['cut before its directory', latin('II*\0\xff\xff\0\0')],
  ])('is not a TIFF that is %s', (_, bytes) => {
    expect(sniffFormat(bytes)).toEqual({ kind: 'supported', format: 'tiff' });
  });
});

describe('what is no picture', () => {
  it.each([
    ['no bytes at all', Buffer.alloc(0)],
    ['a PDF document', latin('%PDF-1.7\n')],
    ['a PDF document', latin('junk before\n%PDF-1.4\n')],
    ['an HTML page', latin('<!DOCTYPE html><html><body><svg></svg>')],
    ['an HTML page', latin('\n<html lang="en">')],
    ['markup text', latin('<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>')],
    ['a text file', latin('{"error": "not found"}')],
    ['a text file', latin('BM is not enough for a bitmap, and P5 neither')],
    ['blank text', latin(' \r\n')],
    ['a video or sound file', isoFile('isom', 'isom', 'mp42')],
    ['a video or sound file', isoFile('qt  ')],
    ['a video', latin('\x1a\x45\xdf\xa3')],
    ['a video', latin('RIFF\x10\0\0\0AVI LIST')],
    ['gzip data', latin('\x1f\x8b\x08')],
    ['a ZIP archive or Office document', latin('PK\x03\x04')],
    ['data of an unknown kind', latin('\0\0\0\0\0\0\0\0')],
  ])('is %s', (what, bytes) => expect(sniffFormat(bytes)).toEqual({ kind: 'not_an_image', what }));

  it('is checked quickly, however the bytes are chosen', () => {
    for (const seed of ['<!--', '<!', '<', ' ', '<a<', '%PDF'.slice(0, 3)]) {
      const bytes = latin(seed.repeat(4096).slice(0, 4096));
      expect(sniffFormat(bytes).kind).toBe('not_an_image');
    }
  });
});
