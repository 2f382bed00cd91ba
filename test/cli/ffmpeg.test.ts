/** `ffmpeg show` and the question of `ffmpeg install`. */
import { chmod } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { answersOf, FFMPEG_5_1 } from '../media/encode/ffmpeg-programs.ts';
import { folderOf } from './listing-files.ts';
import { run } from './run-cli.ts';

it('shows which ffmpeg is used, with and without the word', async () => {
  const script = `#!/bin/sh\n${answersOf(FFMPEG_5_1)}\n`;
  const cwd = await folderOf({ ffmpeg: script });
  await chmod(`${cwd}/ffmpeg`, 0o755);
  for (const argv of [['ffmpeg'], ['ffmpeg', 'show']]) {
    const { exitCode, json } = await run([...argv, '--ffmpeg', 'ffmpeg', '--json'], { cwd });
    expect(exitCode).toBe(0);
    expect(json()).toMatchObject({
      ...{
        path: `${cwd}/ffmpeg`,
        version: FFMPEG_5_1.version,
        year: 2026,
        source: 'setting',
        decodes_music: true,
      },
      candidates: [{ verdict: 'usable' }],
    });
  }
  const text = await run(['ffmpeg', '--ffmpeg', 'ffmpeg'], { cwd });
  expect(text.stdout).toBe(
    `${FFMPEG_5_1.version} of 2026 at ${cwd}/ffmpeg, from setting, encoders libx264 and aac\n`,
  );
  expect(await run(['ffmpeg', 'show', '--ffmpeg', 'none'], { cwd })).toMatchObject({ exitCode: 3 });
});

it('installs nothing where nobody can say yes', async () => {
  const cwd = await folderOf();
  for (const extra of [[], ['--json']]) {
    const { exitCode, stdout, stderr } = await run(['ffmpeg', 'install', ...extra], { cwd });
    expect(exitCode).toBe(2);
    expect(stdout + stderr).toContain('--yes');
  }
});
