/** Requests in numbers: so many connections, as fast as they go or at a steady rate; how long each took. */
import { Pool } from 'undici';

export interface LoadRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
  /** Anything else is an error. */
  readonly status: number;
}

export interface LoadResult {
  readonly count: number;
  readonly perSec: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

export interface LoadOptions {
  readonly connections: number;
  readonly count: number;
  /** Requests begin at this rate, whether or not earlier ones were answered. Default: each after the one before. */
  readonly perSec?: number;
  /** Ends early when it says so. */
  readonly isOver?: () => boolean;
}

/**
 * @param request - The n-th request, counted from 0.
 * @throws Error when an answer has another status than the request expects.
 */
export async function load(
  url: string,
  request: (index: number) => LoadRequest,
  { connections, count, perSec, isOver = () => false }: LoadOptions,
): Promise<LoadResult> {
  const pool = new Pool(url, { connections, pipelining: 1 });
  const tookMs: number[] = [];
  let next = 0;
  const beganMs = performance.now();
  const worker = async () => {
    while (next < count && !isOver()) {
      const index = next++;
      // Counted from when it was due: a server that stalls must not slow the clock that judges it.
      const dueMs = perSec === undefined ? performance.now() : beganMs + (index * 1000) / perSec;
      const waitMs = dueMs - performance.now();
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      const { method, path, body, status } = request(index);
      const response = await pool.request({
        method,
        path,
        ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }),
      });
      if (response.statusCode !== status) {
        throw new Error(
          `${method} ${path}: ${response.statusCode} instead of ${status}: ${(await response.body.text()).slice(0, 500)}`,
        );
      }
      await response.body.dump({ limit: 64 * 1024 * 1024 });
      tookMs.push(performance.now() - Math.max(dueMs, beganMs));
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  const seconds = (performance.now() - beganMs) / 1000;
  await pool.close();
  tookMs.sort((a, b) => a - b);
  const at = (share: number) => Math.round((tookMs[Math.floor(tookMs.length * share)] ?? 0) * 10) / 10;
  return {
    count: tookMs.length,
    perSec: Math.round(tookMs.length / seconds),
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    maxMs: at(0.999999),
  };
}
