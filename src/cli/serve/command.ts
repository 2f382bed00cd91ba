/** `listing-video serve`: the /v1 API with its web page. The work is in `./run-server.ts`. */
import { Command } from 'commander';
import { addExamples, addSettings, type CommandDefinition, startsWith } from '../define-command.ts';

/** See the file's head. */
export const serveCommand: CommandDefinition = (start) => {
  const command = new Command('serve')
    .summary('serve the /v1 API and the web page')
    .description(
      'Accepts listings over HTTP, renders them one after the other, and serves the videos. Prints where it listens, logs on\n' +
        'stderr (JSON lines, or lines for people on a terminal), and ends on Ctrl-C or SIGTERM once running tasks have ended.\n' +
        'Without API keys it is for development: loopback only, and everybody on this machine may use it.',
    );
  addSettings(command, [
    'port',
    'host',
    'publicUrl',
    'concurrency',
    'quality',
    'templatesDir',
    'minAssets',
    'grace',
    'keep',
    'queueLimit',
    'bodyLimit',
    'allowAnonymous',
    'allowAssetsFrom',
    'corsOrigin',
    'ffmpeg',
    'cacheSize',
  ]);
  addExamples(command, [
    ['listing-video serve', 'for development: http://127.0.0.1:8080, no keys'],
    ['listing-video serve --port 0', 'on a free port'],
    [
      'listing-video serve --host 0.0.0.0 --public-url https://videos.example.com --keep 30d',
      'for others, once `listing-video keys create` has made a key',
    ],
    ['listing-video serve --allow-assets-from 10.0.0.0/8', 'photos may come from a private network'],
  ]);
  return startsWith(command, start, async (run) => {
    const { serve } = await import('./run-server.ts');
    return serve(run);
  });
};
