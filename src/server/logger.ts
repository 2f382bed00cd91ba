/** The server's log: one JSON object a line, or lines for people on a terminal. The only user of pino. */
import type { Writable } from 'node:stream';
import { type DestinationStream, pino, stdSerializers } from 'pino';
import pretty from 'pino-pretty';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** Facts first, then the sentence. */
export interface Logger {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

export interface LoggerOptions {
  readonly stream: Writable;
  /** Lines for people instead of JSON. */
  readonly isPretty: boolean;
  readonly hasColor: boolean;
  readonly level: LogLevel;
}

/**
 * Keys, signed addresses and bodies are never handed to it: whoever logs picks the facts one by one. The redaction here
 * is for what slips through.
 */
export function createLogger({ stream, isPretty, hasColor, level }: LoggerOptions): Logger {
  const sink = isPretty
    ? pretty({
        destination: stream,
        colorize: hasColor,
        ignore: 'pid,hostname',
        translateTime: 'SYS:HH:MM:ss',
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

/** Stack and causes; the context of our own errors may hold addresses with signatures, so it stays out. */
function toErrorFacts(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { type, message, stack, code } = stdSerializers.err(error) as unknown as Record<string, unknown>;
  return { type, code, message, stack };
}
