/** `listing-video create`: the words, options and help. The work is in `../create-videos.ts`. */
import { Command, Option } from 'commander';
import {
  addExamples,
  addSettings,
  type CommandDefinition,
  collectWords,
  startsWith,
} from '../define-command.ts';

/** See the file's head. */
export const createCommand: CommandDefinition = (start) => {
  const command = new Command('create')
    .summary('render the videos of one or more listings')
    .description(
      'Validates the listings, renders one video per agent, and prints the paths of the results.\n' +
        'Results go to <out>/<listing id>/: an MP4, a poster and, if wanted, a GIF per agent, report.json and report.html.',
    )
    .argument('<listing...>', 'listing files, folders or globs; - reads one listing from stdin')
    .addOption(
      new Option('--data <key=value>', 'fill a data layer of the template; may be repeated').argParser(
        collectWords,
      ),
    )
    .option('--also-unbranded', 'besides, for each ratio, a film without agent and office: what an MLS takes')
    .option('--dry-run', 'print the storyboard and render nothing')
    .option('--watch', 'render again whenever a listing, its template or a photo on this machine changes')
    .option('--force', 'render again what is up to date');
  addSettings(command, [
    'out',
    'template',
    'templatesDir',
    'music',
    'ratio',
    'preview',
    'quality',
    'minAssets',
    'concurrency',
    'ffmpeg',
    'cacheSize',
  ]);
  addExamples(command, [
    ['listing-video create listing.json', 'one listing, as it says itself'],
    ['listing-video create listing.json --out videos --ratio 1080:1920 --preview', 'upright, with a GIF'],
    [
      'listing-video create listing.json --template classic --data headline="Open house Saturday"',
      'own words',
    ],
    ['listing-video create listing.json --music none', 'without music'],
    [
      'listing-video create listing.json --music ./our-song.mp3',
      'with a file of your own: MP3, M4A, WAV, FLAC or Ogg',
    ],
    ['listing-video create listings/ "more/*.json" --json', 'a batch, for a program to read'],
    ['listing-video create listing.json --dry-run', 'what would be shown, and what it would cost'],
    ['listing-video create listing.json --also-unbranded', 'with the film for the MLS'],
    ['listing-video create listing.json --watch --quality draft', 'again after every change, until Ctrl-C'],
    ['listing-video create - --quality draft < listing.json', 'from stdin, fast'],
  ]);
  return startsWith(command, start, async (run) => {
    const { createVideos } = await import('../create-videos.ts');
    return createVideos(run);
  });
};
