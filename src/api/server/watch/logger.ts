/** The server's log: JSON lines, or readable lines on a terminal. Only this file uses pino. */
import type { Writable } from 'node:stream';
import { type DestinationStream, pino, stdSerializers } from 'pino';
import pretty from 'pino-pretty';
import { formatLogLine } from './log-line.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** Each call takes the facts first, then the message. */
export interface Logger {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

export interface LoggerOptions {
  readonly stream: Writable;
  /** Readable lines instead of JSON. */
  readonly isPretty: boolean;
  readonly hasColor: boolean;
  readonly level: LogLevel;
}

/**
 * Callers never pass keys, signed URLs or bodies: they name each fact. The redaction here is a second line of defense.
 */
export function createLogger({ stream, isPretty, hasColor, level }: LoggerOptions): Logger {
  const sink = isPretty
    ? pretty({
        destination: stream,
        colorize: hasColor,
        ignore: 'pid,hostname',
        translateTime: 'SYS:HH:MM:ss',
        messageFormat: formatLogLine,
        hideObject: true,
      })
    : stream;
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: toErrorFacts },
      redact: {
        paths: ['authorization', 'key', '*.authorization', '*["x-api-key"]', '*.key'],
        censor: '[hidden]',
      },
    },
    sink as unknown as DestinationStream,
  );
}

/** Stack and causes. The context of our own errors can hold signed URLs, so it is left out. */
function toErrorFacts(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { type, message, stack, code } = stdSerializers.err(error) as unknown as Record<string, unknown>;
  return { type, code, message, stack };
}

const CONSOLE_METHODS = ['debug', 'info', 'log', 'warn', 'error', 'trace'] as const;

/**
 * Brings what packages print with `console` into the log, whose lines are JSON, for the rest of the process:
 * graphile-worker prints when a database is away. For debugging only: our own code reports the same faults.
 */
export function logPackageOutput(logger: Pick<Logger, 'debug'>): void {
  for (const method of CONSOLE_METHODS) {
    console[method] = (...parts: unknown[]) =>
      logger.debug({ report: parts.map(toText).join(' ') }, 'a package reports');
  }
}

/** Fields of an error can hold connections, and with them passwords. */
function toText(part: unknown): string {
  return typeof part === 'object' && !(part instanceof Error) ? typeof part : String(part);
}
