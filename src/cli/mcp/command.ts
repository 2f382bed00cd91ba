/** `listing-video mcp`: lets an assistant program make videos. The work is in `./run-mcp.ts`. */
import { CliCommand, collectWords } from '../define-command.ts';

export const mcpCommand = (): CliCommand =>
  new CliCommand('mcp', 'let an assistant program make videos (Model Context Protocol)')
    .description(
      'Serves the Model Context Protocol on stdin and stdout. An assistant program such as Claude Desktop starts it. The assistant ' +
        'can validate listings, see plans and frames, render videos, import from MLS files, and follow tasks. It can name ' +
        'files only in the folders of --root. The command ends when stdin ends.',
    )
    .option(
      '--root <folder>',
      'let the assistant read and write files in this folder; repeatable (default: the working folder)',
      collectWords,
    )
    .settings('templatesDir', 'allowAssetsFrom', 'denyAssetsFrom', 'useProxy', 'concurrency', 'ffmpeg')
    .settings('cacheSize', 'timeLimit')
    .examples({
      'mcp --root listings': 'let an assistant use this folder',
      'mcp --root photos --root listings': 'let an assistant use two folders',
    })
    .does(async () => (await import('./run-mcp.ts')).runMcp);
