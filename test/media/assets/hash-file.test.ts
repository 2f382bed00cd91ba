import { createHash, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { hashFile } from '../../../src/platform/disk/hash-file.ts';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';

it('hashes all bytes of files that fill its buffer never, exactly and more than once', async () => {
  const folder = temporaryFolder();
  for (const sizeBytes of [0, 1, 512 * 1024, 1_300_001]) {
    const bytes = randomBytes(sizeBytes);
    const file = path.join(folder, `${sizeBytes}`);
    await writeFile(file, bytes);
    expect(await hashFile(file)).toEqual({
      sizeBytes,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
  }
  await expect(hashFile(path.join(folder, 'absent'))).rejects.toThrow('ENOENT');
});
