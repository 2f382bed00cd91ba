/** `listing-video worker`: renders the tasks of a database. The work is in `./run-worker.ts`. */
import { CliCommand, settingOption } from '../define-command.ts';
import { neededDatabase, reachOptions, renderOptions } from '../serve/service-flags.ts';

export const workerCommand = (): CliCommand =>
  new CliCommand('worker', 'render the tasks of a database')
    .description(
      'Renders the tasks that `serve --database` accepts, on as many machines as you like. Needs the same database and the same ' +
        '--storage as the API servers, and the same templates. Opens no port, unless --port gives one to /healthz, /readyz and ' +
        '/metrics. Stops on Ctrl-C or SIGTERM, after the running tasks have ended; a second signal ends it at once.\n' +
        'It fetches no photos from private addresses, except those that --allow-assets-from names.',
    )
    .addOptions(neededDatabase('render the tasks of'))
    .settings('storage')
    .addOptions(renderOptions(reachOptions('photos from', 'fetch photos')))
    .addOptions(
      settingOption('port', 'answer /healthz, /readyz and /metrics on this port; 0 picks a free one', 'none'),
    )
    .addOptions(settingOption('host', 'with --port: listen on this address'))
    .settings('trustProxy')
    .examples({
      worker: 'render the tasks of LISTING_VIDEO_DATABASE',
      'worker --storage s3://acme-videos/listing-video --concurrency 2':
        'keep the videos in a bucket, and render two at once',
      'worker --port 9090 --host 0.0.0.0': 'let other machines ask for /readyz',
    })
    .does(async () => (await import('./run-worker.ts')).runWorker);
