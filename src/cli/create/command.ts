/** `listing-video create`: the words, options and help. The work is in `./run-create.ts`. */
import { Command, Option } from 'commander';
import {
  addExamples,
  addSettings,
  type CommandDefinition,
  collectWords,
  startsWith,
} from '../define-command.ts';
import { parseShard } from './shard.ts';

/** See the file's head. */
export const createCommand: CommandDefinition = (start) => {
  const command = new Command('create')
    .summary('render the videos of one or more listings')
    .description(
      'Validates the listings, renders one video per agent, and prints the paths of the results.\n' +
        'Results go to <out>/<listing id>/: an MP4, a poster and, if wanted, a GIF per agent, report.json and report.html. ' +
        'Several listings are a batch: all are judged before the first is rendered, one that fails does not stop the ' +
        'others, and <out>/manifest.json says what became of each. The same command again makes only what is missing.\n' +
        'With --server a server does the work: photos must have http or https URLs, the results come here all the same.',
    )
    .argument(
      '<listing...>',
      'listing files, folders, globs, .ndjson files; - reads stdin: one listing, or one per line (NDJSON)',
    )
    .addOption(
      new Option('--data <key=value>', 'fill a data layer of the template; may be repeated').argParser(
        collectWords,
      ),
    )
    .option('--also-unbranded', 'besides, for each ratio, a film without agent and office: what an MLS takes')
    .option('--dry-run', 'print the storyboard and render nothing')
    .option('--watch', 'render again whenever a listing, its template or a photo on this machine changes')
    .option('--force', 'render again what is up to date')
    .option('--fail-fast', 'begin no other listing after the first that is invalid or fails')
    .addOption(
      new Option('--shard <k/n>', 'make the k-th of n parts of the listings, the others elsewhere').argParser(
        parseShard,
      ),
    )
    .option('--report <file>', 'write a JUnit XML report of the listings')
    .addOption(new Option('--report-junit <file>', 'the same as --report'))
    .addOption(
      new Option(
        '--events <format>',
        'write events on stderr, one JSON object per line, and nothing else',
      ).choices(['ndjson']),
    )
    .option('--events-file <file>', 'write the events to a file or pipe');
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
    'pictures',
    'server',
    'key',
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
    [
      'listing-video create listings/ --shard 2/5 --report junit-2.xml',
      'the second fifth of a folder, with a report for CI',
    ],
    ['listing-video create - --fail-fast < listings.ndjson', 'one listing per line'],
    ['listing-video create listing.json --json --events ndjson', 'for a program that follows it'],
    ['listing-video create listing.json --dry-run', 'what would be shown, and what it would cost'],
    ['listing-video create listing.json --also-unbranded', 'with the film for the MLS'],
    ['listing-video create listing.json --watch --quality draft', 'again after every change, until Ctrl-C'],
    ['listing-video create - --quality draft < listing.json', 'from stdin, fast'],
    [
      'listing-video create listing.json --server https://videos.example.com',
      'made by a server elsewhere, whose key is in LISTING_VIDEO_KEY; fetched when done',
    ],
  ]);
  return startsWith(command, start, async (run) => {
    const { createVideos } = await import('./run-create.ts');
    return createVideos(run);
  });
};
