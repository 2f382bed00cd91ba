/** Reads server-sent events (WHATWG HTML, 9.2.6) from the body of an answer. No I/O of its own. */
import { StringDecoder } from 'node:string_decoder';

/** Larger than any task of the API. */
const MAX_EVENT_LENGTH = 8 << 20;

/**
 * Leaves out comments, ids, unknown fields, and an event without its empty line at the end.
 *
 * @throws what `body` throws; RangeError for an event that is too long.
 */
export async function* readEvents(
  body: AsyncIterable<Buffer>,
): AsyncGenerator<{ readonly name: string; readonly data: string }> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let name = 'message';
  let data: string[] = [];
  let length = 0;
  for await (const piece of body) {
    const lines = (rest + decoder.write(piece)).split('\n');
    rest = lines.pop()!;
    for (const whole of lines) {
      const line = whole.endsWith('\r') ? whole.slice(0, -1) : whole;
      length += line.length;
      if (line === '') {
        if (data.length > 0) yield { name, data: data.join('\n') };
        name = 'message';
        data = [];
        length = 0;
        continue;
      }
      const [, field, value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
      if (field === 'event') name = value;
      if (field === 'data') data.push(value);
    }
    if (rest.length + length > MAX_EVENT_LENGTH) throw new RangeError('an event is too long');
  }
}
