/** `listing-video database` prepares a database, and shows nothing of its password. */
import { expect, it } from 'vitest';
import { run } from '../../cli/run-cli.ts';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';
import { describeWithPostgres } from './test-server.ts';

describeWithPostgres('database migrate', (server) => {
  it('makes the tables, says so, and does nothing the second time', async () => {
    const cwd = temporaryFolder();
    const env = { LISTING_VIDEO_DATABASE: server.url.replace('postgres@', 'postgres:5ecre7@') };
    const first = await run(['database', 'migrate', '--json'], { cwd, env });
    expect(first).toMatchObject({ exitCode: 0, stderr: '' });
    const { database, to_version: version, applied } = first.json();
    expect(first.json()).toEqual({ database, from_version: 0, to_version: version, applied });
    expect(applied).toHaveLength(version + 1);
    expect(applied.at(-1)).toMatch(/^queue \d+$/);
    expect(database).toMatch(/^127\.0\.0\.1:\d+\/postgres$/);
    const second = await run(['database', 'migrate', '--verbose'], { cwd, env });
    expect(second).toMatchObject({ exitCode: 0, stdout: '' });
    expect(second.stderr).toContain(`${database} is up to date (schema version ${version})`);
    for (const { stdout, stderr } of [first, second]) expect(stdout + stderr).not.toContain('5ecre7');
  });

  it('says what is missing without a database, with a wrong address and with one that is away', async () => {
    const cwd = temporaryFolder();
    const none = await run(['database', 'migrate'], { cwd });
    expect(none).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('LISTING_VIDEO_DATABASE') });
    const wrong = await run(['database', 'migrate', '--database', 'mysql://ann:5ecre7@db/x'], { cwd });
    expect(wrong).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('expected an address such as postgres://'),
    });
    const url = 'postgres://ann:5ecre7@127.0.0.1:1/videos';
    const away = await run(['database', 'migrate', '--json', '--database', url], { cwd });
    expect(away.exitCode).toBe(3);
    expect(away.json()).toMatchObject({
      error: {
        code: 'database_unavailable',
        message: 'the database 127.0.0.1:1/videos is not available: ECONNREFUSED',
      },
    });
    for (const { stdout, stderr } of [wrong, away]) expect(stdout + stderr).not.toContain('5ecre7');
  });
});
