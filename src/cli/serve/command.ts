/** `listing-video serve`: the /v1 API with its web page. The work is in `./run-server.ts`. */
import { CliCommand, settingOption } from '../define-command.ts';
import { reachOptions, renderOptions } from './service-flags.ts';

export const serveCommand = (): CliCommand =>
  new CliCommand('serve', 'serve the /v1 API and the web page')
    .description(
      'Accepts listings over HTTP, renders them, and serves the videos. Prints its address on stdout ' +
        'and its log on stderr: JSON lines, or plain lines on a terminal. Stops on Ctrl-C or SIGTERM, after the running tasks have ended.\n' +
        'Without API keys it is for development: it listens on loopback only, and everyone on this machine can use it.',
    )
    .settings('database')
    .addOptions(
      settingOption(
        'render',
        'with --database: render tasks, too; --no-render leaves them to `listing-video worker`',
      ),
    )
    .settings('port', 'host', 'publicUrl', 'quality', 'minAssets')
    .settings('keep', 'bodyLimit', 'allowAnonymous', 'corsOrigin')
    .addOptions(
      renderOptions(reachOptions('photos from, and webhooks to,', 'fetch photos and send webhooks')),
    )
    .settings('queueLimit', 'organizationWaiting')
    .settings('requestsPerMinute', 'connectionsPerAddress', 'trustProxy')
    .settings('storage', 'proxyFiles')
    .examples({
      serve: 'develop at http://127.0.0.1:8080 without keys',
      'serve --port 0': 'listen on a free port',
      'serve --host 0.0.0.0 --public-url https://videos.example.com --keep 30d':
        'serve others, after `listing-video keys create`',
      'serve --no-render --database postgres://videos@db.internal/videos':
        'only accept tasks, and let `listing-video worker` render them',
      'serve --allow-assets-from 10.0.0.0/8': 'fetch photos from a private network too',
    })
    .does(async () => (await import('./run-server.ts')).serve);
