/** An assistant program in this process, with the SDK's client, over the real engine. */
import { cpSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { type CliHost, openCommandRun } from '../../../src/cli/command-run.ts';
import { Assistant } from '../../../src/cli/mcp/assistant.ts';
import { openMcpServer } from '../../../src/cli/mcp/mcp-server.ts';
import { rootFolders } from '../../../src/cli/mcp/run-mcp.ts';
import { createTerminal } from '../../../src/cli/terminal/terminal.ts';
import { openBackend } from '../../../src/wiring/open-backend.ts';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';
import { type AnyJson, CapturedStream } from '../run-cli.ts';

const SMALL = fileURLToPath(new URL('../../../fixtures/small', import.meta.url));

/** A folder that is allowed, with five small photos in `photos`, and one beside it that is not. */
export function makeFolders(): { readonly root: string; readonly outside: string; readonly home: string } {
  const folder = temporaryFolder();
  const [root, outside, home] = ['root', 'outside', 'home'].map((name) => path.join(folder, name));
  mkdirSync(outside!, { recursive: true });
  cpSync(path.join(SMALL, 'photos'), path.join(root!, 'photos'), { recursive: true });
  cpSync(path.join(SMALL, 'photos'), path.join(outside!, 'photos'), { recursive: true });
  return { root: root!, outside: outside!, home: home! };
}

export interface Answer {
  readonly isError: boolean;
  /** The structured content. */
  readonly document: AnyJson;
  /** The text for the assistant. */
  readonly text: string;
  /** Decoded. */
  readonly images: readonly Buffer[];
  /** Paths that links lead to. */
  readonly files: readonly string[];
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: { readonly progress: number }) => void;
}

/** @param root - Also the working folder. */
export async function connect({ root, home }: { readonly root: string; readonly home: string }) {
  const stdout = new CapturedStream(false, 80);
  const unused = () => Promise.reject(new Error('no assistant needs it'));
  const host: CliHost = {
    terminal: createTerminal({
      stdin: new PassThrough(),
      stdout,
      stderr: new CapturedStream(false, 80),
      env: {},
    }),
    env: {},
    machine: async () => ({ dataDir: home, cwd: root, homeDir: '/', cpuCount: 2 }),
    interrupted: new AbortController().signal,
    openBackend,
    openService: unused,
    openWorker: unused,
    openStudio: unused,
    openStart: unused,
    nowMs: Date.now,
    delay: async () => undefined,
    version: '9.8.7',
  };
  const output = { json: false, quiet: false, verbose: false, debug: false };
  const { run } = openCommandRun(host, output, [], {});
  const assistant = new Assistant(run, await rootFolders(run));
  const server = await openMcpServer(assistant);
  const client = new Client({ name: 'test', version: '1.0.0' });
  const [ofClient, ofServer] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(ofServer), client.connect(ofClient)]);
  // From now on the client holds every answer against the schema of its tool.
  const { tools } = await client.listTools();
  return {
    tools,
    stdout,
    async call(name: string, args: object, options: CallOptions = {}): Promise<Answer> {
      return toAnswer(await client.callTool({ name, arguments: { ...args } }, undefined, options));
    },
    async close(): Promise<void> {
      await client.close();
      await assistant.close();
    },
  };
}

export function toAnswer(result: AnyJson): Answer {
  const { content, structuredContent: document, isError = false } = result;
  const ofType = (type: string): AnyJson[] => content.filter((part: AnyJson) => part.type === type);
  return {
    isError,
    document,
    text: ofType('text')
      .map(({ text }) => text)
      .join('\n'),
    images: ofType('image').map(({ data, mimeType }) => {
      if (mimeType !== 'image/jpeg' || data.length > 1_000_000) throw new Error('no JPEG of 1 MB at most');
      return Buffer.from(data, 'base64');
    }),
    files: ofType('resource_link').map(({ uri }) => fileURLToPath(uri)),
  };
}
