/** The server as an assistant program starts it: a process that speaks the protocol on stdin and stdout, and nothing else. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, it } from 'vitest';
import { LAUNCHER } from '../../e2e/program.ts';
import { listing } from '../listing-files.ts';
import { run } from '../run-cli.ts';
import { makeFolders, toAnswer } from './connect.ts';

it('prints nothing but the protocol, also under --debug, and ends with its input', async () => {
  const { root, home } = makeFolders();
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [LAUNCHER, 'mcp', '--root', root, '--home', home, '--debug'],
    stderr: 'pipe',
    // There the terminal changes what could be a command of a workflow.
    env: { ...process.env, GITHUB_ACTIONS: 'true' } as Record<string, string>,
  });
  let stderr = '';
  transport.stderr!.on('data', (text: Buffer) => {
    stderr += text.toString();
  });
  const client = new Client({ name: 'test', version: '1.0.0' });
  const faults: Error[] = [];
  client.onerror = (error) => faults.push(error);
  await client.connect(transport);
  await client.listTools();
  const call = async (name: string, args: object) =>
    toAnswer(await client.callTool({ name, arguments: { ...args } }));
  expect((await call('list_tasks', {})).document).toMatchObject({ data: [] });
  const odd = { ...listing(), bedrooms: '##[group]' };
  const found = await call('validate_listing', { listing: odd });
  expect(found.document.files[0].detail[0]).toMatchObject({ input: '##[group]' });
  const facts = { photos: 'photos', open_house: 'Saturday', agent: { name: 'June Takemori' } };
  const plan = await call('plan_video', facts);
  expect(plan.document).toMatchObject({ assets: { given: 5 } });
  expect(plan.images).toHaveLength(1);
  expect((await call('plan_video', { ...facts, photos: '..' })).text).toMatch(/outside of the folders/);
  const gone = new Promise((resolve) => {
    client.onclose = () => resolve('gone');
  });
  // Closes stdin, and kills a process that does not end then.
  await client.close();
  expect(await gone).toBe('gone');
  expect(faults).toEqual([]);
  expect(stderr).toMatch(/serving an assistant in [\s\S]*checking photos/);
});

it('refuses folders that are none, and the whole disk unless it is named', async () => {
  const { exitCode, stdout } = await run(['mcp', '--root', 'missing']);
  const whole = await run(['mcp'], { cwd: '/' });
  expect([exitCode, stdout, whole.exitCode, whole.stdout]).toEqual([2, '', 2, '']);
  expect(whole.stderr).toMatch(/the working folder is the whole disk[\s\S]*--root/);
  const { exitCode: ended, stderr } = await run(['mcp'], {});
  expect([ended, stderr]).toEqual([0, expect.stringMatching(/^serving an assistant in \//)]);
});
