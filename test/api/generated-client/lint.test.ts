/** The API document lints clean with Redocly, by its strict rules. */
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { createApiDocument } from '../../../src/api/server/openapi/api-document.ts';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';

const REDOCLY = path.join(
  path.dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')),
  'bin/cli.js',
);
const RULES = fileURLToPath(new URL('./redocly.yaml', import.meta.url));

interface Finding {
  readonly ruleId: string;
  readonly severity: string;
  readonly message: string;
  readonly location: readonly { readonly pointer?: string }[];
}

const folder = temporaryFolder();

async function lint(document: unknown): Promise<string[]> {
  const file = path.join(folder, 'openapi.json');
  await writeFile(file, JSON.stringify(document));
  const { stdout } = await execa(
    process.execPath,
    [REDOCLY, 'lint', file, '--config', RULES, '--format', 'json'],
    {
      reject: false,
      env: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' },
    },
  );
  const { problems } = JSON.parse(stdout) as { problems: Finding[] };
  return problems.map(({ severity, ruleId, message, location }) =>
    [severity, ruleId, location[0]?.pointer ?? '', message].join(' '),
  );
}

describe('the API document', () => {
  it('has nothing for the linter to find', async () => {
    for (const hasUploads of [true, false])
      expect(await lint(createApiDocument('https://videos.example.com', { hasUploads }))).toEqual([]);
  });

  it('is truly looked at: an operation without id or answers is found', async () => {
    const document = structuredClone(createApiDocument('https://videos.example.com')) as {
      paths: Record<string, Record<string, Record<string, unknown>>>;
    };
    document.paths['/v1/organization']!.get = { responses: {} };
    const findings = (await lint(document)).join('\n');
    expect(findings).toContain('operation-operationId');
    expect(findings).toContain('operation-2xx-response');
  });
});
