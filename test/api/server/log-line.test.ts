/** The log on a terminal: one line for each entry, safe to print, and JSON everywhere else. */
import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { createLogger } from '../../../src/api/server/watch/logger.ts';

function open(isPretty: boolean) {
  let text = '';
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  const logger = createLogger({ stream, isPretty, hasColor: false, level: 'info' });
  return { logger, lines: () => text.trimEnd().split('\n') };
}

const REQUEST = {
  request_id: '0193-a',
  method: 'POST',
  path: '/v1/tasks',
  status: 202,
  duration_ms: 12.3,
  client: '127.0.0.1',
  task: '0193-b',
};

it('is one line per request on a terminal', () => {
  const { logger, lines } = open(true);
  logger.info(REQUEST, 'request');
  logger.warn({}, 'anonymous access is on');
  logger.info({ url: 'http://127.0.0.1:80', checks: { disk: false }, why: 'two words' }, 'listening');
  expect(lines().map((line) => line.replace(/^\[\d\d:\d\d:\d\d\] /, ''))).toEqual([
    'INFO: POST /v1/tasks 202 12.3 ms  request_id=0193-a client=127.0.0.1 task=0193-b',
    'WARN: anonymous access is on',
    'INFO: listening  url=http://127.0.0.1:80 checks={"disk":false} why="two words"',
  ]);
});

it('shows the stack of a fault below its line', () => {
  const { logger, lines } = open(true);
  logger.error({ ...REQUEST, status: 500, error: new Error('broken') }, 'request failed');
  const [first, second, third] = lines();
  expect(first).toContain('ERROR: request failed: POST /v1/tasks 500 12.3 ms  request_id=0193-a');
  expect(second).toBe('    Error: broken');
  expect(third).toMatch(/^ {8}at /);
});

it('never lets a client write to the terminal', () => {
  const { logger, lines } = open(true);
  logger.info(
    { ...REQUEST, path: '/\u001b[2J\u202e\u0007\u2028x', method: 'G\r\nET', key: 'secret' },
    'request',
  );
  expect(lines()).toHaveLength(1);
  const text = lines()[0]!;
  expect(text).toContain('/\\u{1b}[2J\\u{202e}\\u{7}\\u{2028}x');
  expect(text).toContain('key=[hidden]');
  expect(text).toMatch(/^\P{C}+$/u);
});

it('is JSON where no terminal is', () => {
  const { logger, lines } = open(false);
  logger.info(REQUEST, 'request');
  expect(JSON.parse(lines()[0]!)).toMatchObject({ ...REQUEST, level: 'info', msg: 'request' });
});
