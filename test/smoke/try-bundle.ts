/** The bundle for assistant programs, in a root that has nothing but the C library and a shell: started as its manifest says. */
import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { inRoot, makePackage } from './other-root.ts';
import { ROOT } from './programs.ts';
import { checkVideo } from './try-cell.ts';

const execute = promisify(execFile);
const NOBODY = 65_534;
/** Of the bundle, in its root. */
const PLACE = '/bundle';
const MAX_WAIT_SEC = 300;
const PHOTOS = path.join(ROOT, 'fixtures', 'small', 'photos');

/** @param folder - Empty. @throws Error when a step fails. */
export async function tryBundle(folder: string): Promise<void> {
  const [root, work] = [path.join(folder, 'root'), path.join(folder, 'work')];
  const bundle = path.join(root, PLACE);
  const file = await makePackage('mcpb-linux-x64', folder);
  for (const each of [bundle, work]) await mkdir(each, { recursive: true });
  await execute('unzip', ['-q', file, '-d', bundle]);
  await addLibraries(root, bundle);
  await cp(PHOTOS, path.join(work, 'photos'), { recursive: true });
  const { command, args } = await readCommand(path.join(bundle, 'manifest.json'), work);
  const installed = await inRoot(root, {
    folder: work,
    uid: NOBODY,
    access: 'ro',
    env: { HOME: work },
    program: command,
  });
  const [shell, ...words] = installed.command;
  const client = new Client({ name: 'smoke', version: '1.0.0' });
  const transport = new StdioClientTransport({
    command: shell!,
    args: [...words, ...args],
    env: installed.env as Record<string, string>,
  });
  await client.connect(transport);
  try {
    await tryTools(client);
    const [video, ...others] = (await readdir(path.join(work, 'videos'), { recursive: true })).filter(
      (name) => name.endsWith('.mp4'),
    );
    if (video === undefined || others.length > 0) throw new Error(`create_videos: ${[video, ...others]}`);
    await checkVideo(path.join(work, 'videos', video), 'create_videos');
  } finally {
    await client.close();
  }
}

/** The command of the manifest, as an assistant program fills it in. */
async function readCommand(file: string, folder: string): Promise<{ command: string; args: string[] }> {
  const { server } = JSON.parse(await readFile(file, 'utf8'));
  const fill = (word: string) =>
    word.replace(/\$\{__dirname\}/g, PLACE).replace(/\$\{user_config\.folder\}/g, folder);
  const { command, args } = server.mcp_config as { command: string; args: string[] };
  return { command: fill(command), args: args.map(fill) };
}

/** The plan of a video of a folder of photos, then the video. */
async function tryTools(client: Client): Promise<void> {
  const { tools } = await client.listTools();
  if (!tools.some(({ name }) => name === 'create_videos')) throw new Error(`tools: ${JSON.stringify(tools)}`);
  const facts = { price: 749_000, open_house: 'Saturday', agent: { name: 'June Takemori' } };
  for (const name of ['plan_video', 'create_videos']) {
    const asked = { photos: 'photos', ratio: '1080:1920', ...facts };
    const words = name === 'plan_video' ? asked : { ...asked, quality: 'draft', wait_sec: MAX_WAIT_SEC };
    const options = { timeout: 1000 * (MAX_WAIT_SEC + 10) };
    const answer = await client.callTool({ name, arguments: words }, undefined, options);
    const content = answer.content as { type: string }[];
    if (answer.isError || !content.some(({ type }) => type === 'image'))
      throw new Error(`${name}: ${JSON.stringify(content).slice(0, 2_000)}`);
  }
}

/** The shell, and what it and the programs of the bundle are linked with. */
async function addLibraries(root: string, bundle: string): Promise<void> {
  const names = (await readdir(bundle, { recursive: true })).filter((name) =>
    /\/node$|\.node$|\.so\./.test(name),
  );
  const needed = new Set(['/bin/sh']);
  for (const file of ['/bin/sh', ...names.map((name) => path.join(bundle, name))]) {
    const { stdout } = await execute('ldd', [file]).catch(() => ({ stdout: '' }));
    for (const [, library] of stdout.matchAll(/(\/\S+) \(0x/g)) needed.add(library!);
  }
  for (const file of needed) {
    if (file.startsWith(bundle)) continue;
    await mkdir(path.join(root, path.dirname(file)), { recursive: true });
    await cp(file, path.join(root, file), { dereference: true });
  }
}
