/** Holds the error table and its use against each other, both ways. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { toProblem } from '../../src/api/server/answers/api-problem.ts';
import { ERROR_TABLE, type ErrorCode, type ErrorRow, ListingVideoError } from '../../src/platform/errors.ts';

const SRC = fileURLToPath(new URL('../../src', import.meta.url));
const rows: readonly (readonly [string, ErrorRow])[] = Object.entries(ERROR_TABLE);
const source = readdirSync(SRC, { recursive: true, withFileTypes: true })
  .filter(({ name }) => name.endsWith('.ts') && name !== 'errors.ts')
  .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'))
  .join('\n');

describe('the error table', () => {
  it('has no code that nothing raises', () => {
    const raised = rows.filter(([code]) => !source.includes(`'${code}'`));
    expect(raised.map(([code]) => code)).toEqual([]);
  });

  it('has every code that an error or an answer is made with', () => {
    const made = [...source.matchAll(/(?:new ListingVideoError|\bproblem|\bmake)\(\s*'([a-z_]+)'/g)];
    expect(made.length).toBeGreaterThan(100);
    const codes = new Set(rows.map(([code]) => code));
    expect(made.flatMap(([, code = '']) => (codes.has(code) ? [] : [code]))).toEqual([]);
  });

  it('names an exit code or a status in every row', () => {
    expect(rows.filter(([, row]) => row.exitCode === undefined && row.httpStatus === undefined)).toEqual([]);
  });

  it('renames a code only to a code of the API', () => {
    const renamed = rows.flatMap(([, { apiCode }]) => apiCode ?? []);
    expect(renamed.filter((code) => !rows.some(([name, row]) => name === code && row.httpStatus))).toEqual(
      [],
    );
  });

  it('decides what a client sees of every error', () => {
    for (const [code, row] of rows.filter(([, { exitCode }]) => exitCode !== undefined)) {
      const error = new ListingVideoError(code as ErrorCode, 'cannot write /srv/home', {
        context: { path: '/srv/home' },
      });
      const { status, body } = toProblem(error, 'request-1');
      const isPublic = row.httpStatus !== undefined && row.httpStatus !== 422 && code !== 'internal_error';
      expect([code, status, body.code]).toEqual(
        isPublic ? [code, row.httpStatus, row.apiCode ?? code] : [code, 500, 'internal_error'],
      );
      if (!isPublic) expect(body.context).toEqual({ request_id: 'request-1' });
      else expect(body.context).toEqual(row.hasPublicContext ? { path: '/srv/home' } : null);
    }
  });
});
