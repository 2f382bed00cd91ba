/**
 * A run of `create` that has staged a file, as a process: `node hold-folder.ts <folder> <content>`. It publishes on
 * request.
 */
import { writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { openOutputFolder } from '../../src/video/publish/output-folder.ts';

const [target = '', content = ''] = process.argv.slice(2);
const folder = await openOutputFolder(target);
await writeFile(folder.stagedPath('a.mp4'), content);
console.log('held');
for await (const _ of createInterface({ input: process.stdin })) {
  const end = await folder.publish(['a.mp4']).then(
    () => 'published',
    (error: { code?: string }) => error.code,
  );
  await folder.close();
  console.log(end);
}
