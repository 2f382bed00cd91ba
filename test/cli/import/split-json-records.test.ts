/** Records are found in JSON of every shape, wherever the chunks of the file end. */
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { CommandRun } from '../../../src/cli/command-run.ts';
import { readJsonRecords } from '../../../src/cli/import/read-json-records.ts';
import { JsonRecordSplitter } from '../../../src/cli/import/split-json-records.ts';
import type { MlsRecord } from '../../../src/listing/mls/mls-record.ts';

/** The records as texts with their lines, and what is left. */
function split(text: string, chunkBytes = text.length) {
  const bytes = Buffer.from(text);
  const splitter = new JsonRecordSplitter();
  const records: string[] = [];
  for (let at = 0; at < bytes.length; at += Math.max(1, chunkBytes))
    for (const record of splitter.push(bytes.subarray(at, at + chunkBytes)))
      records.push(`${record.line}:${record.bytes}`);
  const cut = splitter.end();
  return {
    records,
    cut: cut === null ? null : `${cut.line}:${cut.bytes}`,
    envelopes: splitter.envelopes.map(String),
  };
}

const SHAPES: readonly (readonly [name: string, text: string, records: readonly string[]])[] = [
  ['one object', '{"a": [1, {"b": "}"}]}', ['1:{"a": [1, {"b": "}"}]}']],
  ['an array', '[\n{"a":1},\n{"a":2}\n]\n', ['2:{"a":1}', '3:{"a":2}']],
  [
    'an OData answer',
    '{"@odata.context":"x]","value":[{"a":1},\n{"a":[2]}],"@odata.nextLink":"y"}',
    ['1:{"a":1}', '2:{"a":[2]}'],
  ],
  ['an answer without properties', '{"value":[]}', []],
  ['one object per line', '\ufeff{"a":1}\r\n\r\n{"a":2}\r\n', ['1:{"a":1}', '3:{"a":2}']],
  ['two pages after each other', '{"value":[{"a":1}]}\n{"value":[{"a":2}]}', ['1:{"a":1}', '2:{"a":2}']],
  ['a list called value that is deeper', '{"a":{"value":[1]}}', ['1:{"a":{"value":[1]}}']],
  ['a value that is no list', '{"value":"[{"}', ['1:{"value":"[{"}']],
  [
    'escaped quotes and brackets in texts',
    '[{"a":"\\"]}\\\\"},{"b":"[{"}]',
    ['1:{"a":"\\"]}\\\\"}', '1:{"b":"[{"}'],
  ],
  ['values that are no objects', '[null, 3 ,"x",{"a":1}]', ['1:null', '1:3', '1:"x"', '1:{"a":1}']],
  ['letters beyond ASCII', '[{"a":"Größe 家"},{"b":"é"}]', ['1:{"a":"Größe 家"}', '1:{"b":"é"}']],
];

describe('the splitter', () => {
  it.each(SHAPES)('finds the records of %s at every chunk size', (_, text, records) => {
    const whole = split(text);
    expect(whole).toMatchObject({ records, cut: null });
    for (let size = 1; size < 40; size += 1) expect(split(text, size)).toEqual(whole);
  });

  it('keeps what is around the records of an answer as JSON', () => {
    const { envelopes } = split(
      '{"@odata.count": 2, "value": [{"a":1},{"a":2}], "@odata.nextLink": "https://x"}',
      7,
    );
    expect(envelopes.map((text) => JSON.parse(text))).toEqual([
      { '@odata.count': 2, value: [], '@odata.nextLink': 'https://x' },
    ]);
  });

  it.each([
    ['a record', '[{"a":1},{"b":'],
    ['an array', '[{"a":1}'],
    ['an answer', '{"value":[{"a":1},'],
    ['the end of an answer', '{"value":[{"a":1}],"@odata'],
  ])('says that %s was cut off, and keeps the records before', (_, text) => {
    for (let size = 1; size < 20; size += 1) {
      const { records, cut } = split(text, size);
      expect([records, cut === null]).toEqual([['1:{"a":1}'], false]);
    }
  });

  it('ends for brackets that do not match', () => {
    for (const text of ['}', ']', '[}', '[}]', '[{]', '[[{"a":1}]]', '{]}', '}}}{"a":1}', '[}{"a":1}]'])
      for (const size of [1, 2, 100]) expect(split(text, size).records.length).toBeLessThan(5);
  });
});

describe('answers after each other', () => {
  it('are let go one by one, because a stream of them can be endless', async () => {
    const seen: string[] = [];
    const stdin = Readable.from(
      ['{"value":[{"ListingId":"1"}],"n":1}', '{"value":[{"ListingId":"2"}],"n":2}'].map(Buffer.from),
    );
    const run = { signal: new AbortController().signal, terminal: { stdin } } as unknown as CommandRun;
    const onEnvelope = ({ n }: MlsRecord) => seen.push(`answer ${n}`);
    for await (const { record } of readJsonRecords(run, { name: '-', path: null }, onEnvelope))
      seen.push(`record ${record?.ListingId}`);
    expect(seen).toEqual(['record 1', 'answer 1', 'record 2', 'answer 2']);
  });
});
