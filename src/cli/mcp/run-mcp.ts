/** The work of `mcp`: serves until stdin ends. Only the protocol goes to stdout. */
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { Writable } from 'node:stream';
import { AllowedFolders } from '../../platform/disk/allowed-folders.ts';
import { ListingVideoError } from '../../platform/errors.ts';
import { requireText, usageError } from '../cli-error.ts';
import type { CommandRun } from '../command-run.ts';
import { unreadableBecause } from '../listings/collect-inputs.ts';
import { aborted } from '../serve/service-options.ts';
import { escapeUnsafeJson } from '../terminal/escape-text.ts';
import { Assistant } from './assistant.ts';

interface McpOptions {
  readonly root?: readonly string[];
}

/** @returns The exit code: 0, as the end of its input is how it ends. */
export async function runMcp(run: CommandRun<McpOptions>): Promise<number> {
  requireText(run, 'mcp');
  const { terminal, signal } = run;
  const folders = await rootFolders(run);
  const [{ StdioServerTransport }, { openMcpServer }] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/stdio.js'),
    import('./mcp-server.ts'),
  ]);
  const assistant = new Assistant(run, folders);
  const server = await openMcpServer(assistant);
  const stdout = new Writable({
    decodeStrings: false,
    write(message: string, _encoding, done) {
      terminal.print(escapeUnsafeJson(message.trimEnd()));
      done();
    },
  });
  const ended = Promise.race([
    once(terminal.stdin, 'end'),
    once(terminal.stdin, 'close'),
    aborted(signal),
    aborted(terminal.readerGone),
  ]);
  server.onerror = (error) => run.output.verbose && terminal.log(`mcp: ${error.message}`);
  await server.connect(new StdioServerTransport(terminal.stdin, stdout));
  run.info(`serving an assistant in ${folders.folders.join(', ')}`);
  try {
    await ended;
    return 0;
  } finally {
    await server.close();
    await assistant.close();
  }
}

/** @throws ListingVideoError `usage`, `file_not_found`. */
export async function rootFolders({ host, options }: CommandRun<McpOptions>): Promise<AllowedFolders> {
  const { cwd } = await host.machine();
  const hint = 'name the folder with your listings: --root /path/to/listings';
  // Assistant programs often start servers in the root of the file system.
  if (options.root === undefined && path.dirname(cwd) === cwd)
    throw usageError('the working folder is the whole disk, and an assistant could use all of it', hint);
  const folders = (options.root ?? ['.']).map((word) => path.resolve(cwd, word));
  for (const [index, folder] of folders.entries()) {
    const problem = await stat(folder).then(
      (found) => (found.isDirectory() ? null : 'it is no folder'),
      unreadableBecause,
    );
    if (problem !== null || options.root?.[index] === '')
      throw new ListingVideoError('file_not_found', `--root: ${folder}: ${problem ?? 'the name is empty'}`, {
        hint,
      });
  }
  return new AllowedFolders(folders);
}
