/** `listing-video studio`: edits a listing in the browser. The work is in `./run-studio.ts`. */
import { CliCommand } from '../define-command.ts';
import { STUDIO_SETTINGS, studioFlags } from './studio-options.ts';

export const studioCommand = (): CliCommand =>
  new CliCommand('studio', 'edit a listing and see its videos, in the browser')
    .description(
      'Opens a page in your browser that shows the videos of a listing as they will be rendered. There you change photos, captions, ' +
        'facts, agents and template, and render. Every change is saved to the listing file at once.\n' +
        'A folder of photos without a listing gets a new listing.json. Without an argument, the start page opens: your latest ' +
        'listings, and new ones from photos, MLS data or the sample. It runs once: a second start opens the page of the first. ' +
        'It stops when its last page has been closed for a minute. ' +
        'Only this machine can open the page, and only with the address that is printed. Press Ctrl-C to stop.',
    )
    .argument('[listing]', 'listing file, or folder of photos; . is this folder (default: the start page)')
    .addOptions(studioFlags())
    .option('--port <n>', 'listen on this port (default: a free one)')
    .settings('out', ...STUDIO_SETTINGS)
    .examples({
      studio: 'choose a listing, or photos for a new one, on the start page',
      'studio .': 'edit listing.json of this folder, or make one from its photos',
      'studio photos': 'make a listing from the photos of a folder',
      'studio listing.json --no-open --port 8090': 'print the address, and open it yourself',
      'studio listing.json --templates-dir my-templates':
        'watch your own template while you change its files',
    })
    .does(async () => (await import('./run-studio.ts')).runStudio);
