/** The config file: read, written, and never harmed when it is broken. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { configPath, readConfig, writeConfigValue } from '../../../src/platform/settings/config-file.ts';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';

async function home(text?: string): Promise<string> {
  const folder = temporaryFolder();
  if (text !== undefined) await writeFile(configPath(folder), text);
  return folder;
}

it('reads nothing and makes nothing where there is no file', async () => {
  const folder = await home();
  const missing = path.join(folder, 'not-there');
  expect(await readConfig(missing)).toBeNull();
  expect(await readdir(folder)).toEqual([]);
});

it('reads keys literally, dots and all', async () => {
  const folder = await home('{"cache-size": "2GB", "a.b": 1}');
  expect(await readConfig(folder)).toEqual({
    file: path.join(folder, 'config.json'),
    values: { 'cache-size': '2GB', 'a.b': 1 },
  });
});

it.each(['{"quality": ', '[1]', '"x"', 'null', ''])('refuses %j and leaves it as it is', async (text) => {
  const folder = await home(text);
  await expect(readConfig(folder)).rejects.toMatchObject({
    code: 'setting_invalid',
    message: expect.stringContaining(configPath(folder)),
  });
  await expect(writeConfigValue(folder, 'quality', 'high')).rejects.toMatchObject({
    code: 'setting_invalid',
  });
  expect(await readFile(configPath(folder), 'utf8')).toBe(text);
  expect(await readdir(folder)).toEqual(['config.json']);
});

it('writes one value and keeps the others', async () => {
  const folder = await home('{"quality": "high", "own": {"x": 1}}');
  await writeConfigValue(folder, 'cache-size', '1GB');
  expect(JSON.parse(await readFile(configPath(folder), 'utf8'))).toEqual({
    quality: 'high',
    own: { x: 1 },
    'cache-size': '1GB',
  });
});

it('says store_unwritable when the folder cannot be made', async () => {
  const folder = await home();
  await writeFile(path.join(folder, 'file'), '');
  await expect(writeConfigValue(path.join(folder, 'file', 'home'), 'quality', 'high')).rejects.toMatchObject({
    code: 'store_unwritable',
  });
});
