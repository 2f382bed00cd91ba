/** `listing-video demo`: opens the studio on the sample listing. The work is in `./run-demo.ts`. */
import { CliCommand } from '../define-command.ts';
import { STUDIO_SETTINGS, studioFlags } from '../studio/studio-options.ts';

export const demoCommand = (): CliCommand =>
  new CliCommand('demo', 'open the studio on a sample listing')
    .description(
      'Copies the sample listing and its photos into a folder of yours, and opens the studio on it. Change what you like, and ' +
        'render: the videos go to the same folder. Press Ctrl-C to stop.',
    )
    .option('--out <dir>', 'folder for the sample (default: a new temporary folder)')
    .addOptions(studioFlags())
    .option('--port <n>', 'listen on this port (default: a free one)')
    .settings(...STUDIO_SETTINGS)
    .examples({
      demo: 'try the studio',
      'demo --out sample': 'keep the sample and its videos in a folder',
    })
    .does(async () => (await import('./run-demo.ts')).runDemo);
