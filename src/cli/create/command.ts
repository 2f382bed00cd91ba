/** `listing-video create`: its arguments, options and examples. The work is in `./run-create.ts`. */
import { Option } from 'commander';
import { CliCommand, dataOption } from '../define-command.ts';
import { CREATE_SETTINGS, parseShard } from './create-options.ts';

export const createCommand = (): CliCommand =>
  new CliCommand('create', 'render the videos of one or more listings')
    .description(
      'Validates the listings, renders one video per agent, and prints the paths of the results.\n' +
        'Results go to <out>/<listing id>/: per agent an MP4, a poster and with --preview a GIF, also report.json and report.html. A video of another shape, or with ' +
        'another --template, gets a file name of its own; --force replaces. ' +
        'Several listings are a batch: all are validated before the first is rendered, a failed one does not stop the ' +
        'others, and <out>/manifest.json lists every result. Run the command again to render only what is missing.\n' +
        'With --server the server renders: photos of this machine are uploaded, and the results are saved here.',
    )
    .argument(
      '<listing...>',
      'listing files, folders, globs, .ndjson files; - reads stdin: one listing, or one per line (NDJSON)',
    )
    .addOption(dataOption())
    .option('--also-unbranded', 'also render a video without agent and office per shape, for an MLS')
    .option('--dry-run', 'print the storyboard and render nothing')
    .option('--watch', 'render again whenever a listing, its template or a local photo changes')
    .option(
      '-f, --force',
      'render everything again, also what is up to date, and replace files of other videos',
    )
    .option('--clean', 'remove the videos of agents who are no longer in the listing')
    .option('--fail-fast', 'stop after the first invalid or failed listing')
    .addOption(
      new Option('--shard <k/n>', 'render only part k of n of the listings, such as 2/5').argParser(
        parseShard,
      ),
    )
    .option('--report <file>', 'write a JUnit XML report of the listings')
    .addOption(new Option('--report-junit <file>', 'do the same as --report'))
    .addOption(
      new Option(
        '--events <format>',
        'write events on stderr, one JSON object per line, and nothing else',
      ).choices(['ndjson']),
    )
    .option('--events-file <file>', 'write the events to a file or pipe')
    .settings(...CREATE_SETTINGS)
    .examples({
      'create listing.json': 'render one listing with its own options',
      'create listing.json --out videos --ratio 1080:1920 --preview':
        'render vertical videos, each with a GIF',
      'create listing.json --also-ratio 1080:1920': 'render every video in both shapes',
      'create listing.json --for youtube,instagram-reels':
        'make a file for each place, and hear whether it fits',
      'create listing.json --template classic --data headline="Open house Saturday"': 'set your own text',
      'create listing.json --length normal,15s': 'make the usual video and one of 15 seconds',
      'create listing.json --music none': 'render without music',
      'create listing.json --music ./our-song.mp3': 'use your own music: MP3, M4A, WAV, FLAC or Ogg',
      'create listings/ "more/*.json" --json': 'render a batch, print JSON',
      'create listings/ --shard 2/5 --report junit-2.xml':
        'render the second fifth of a folder, with a report for CI',
      'create - --fail-fast < listings.ndjson': 'render one listing per line of stdin',
      'create listing.json --json --events ndjson': 'follow the run from another program',
      'create listing.json --dry-run': 'see the storyboard and how much there is to render',
      'create listing.json --also-unbranded': 'add a video for the MLS',
      'create listing.json --watch --quality draft': 'render again after every change, until Ctrl-C',
      'create - --quality draft < listing.json': 'read stdin, render fast',
      'create listings/ --untrusted': 'render listings of strangers, such as a pull request',
      'create listing.json --server https://videos.example.com':
        'let a server render; its key is in LISTING_VIDEO_KEY',
    })
    .does(async () => (await import('./run-create.ts')).runCreate);
