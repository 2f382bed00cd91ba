/** `listing-video studio`: edits a listing in the browser. The work is in `./run-studio.ts`. */
import { CliCommand } from '../define-command.ts';
import { STUDIO_SETTINGS } from './studio-options.ts';

export const studioCommand = (): CliCommand =>
  new CliCommand('studio', 'edit a listing and see its videos, in the browser')
    .description(
      'Opens a page in your browser that shows the videos of a listing as they will be rendered. There you change photos, captions, ' +
        'facts, agents and template, and render. Every change is saved to the listing file at once.\n' +
        'A folder of photos without a listing gets a new listing.json. Without an argument, it opens listing.json of this folder, ' +
        'or its photos. Only this machine can open the page, and only with the address that is printed. Press Ctrl-C to stop.',
    )
    .argument('[listing]', 'listing file, or folder of photos (default: listing.json, else this folder)')
    .option('--no-open', 'do not open the browser: print the address only')
    .option('--port <n>', 'listen on this port (default: a free one)')
    .settings('out', ...STUDIO_SETTINGS)
    .examples({
      studio: 'edit listing.json of this folder, or make one of its photos',
      'studio photos': 'make a listing of the photos of a folder',
      'studio listing.json --no-open --port 8090': 'print the address, and open it yourself',
      'studio listing.json --templates-dir my-templates':
        'watch your own template while you change its files',
    })
    .does(async () => (await import('./run-studio.ts')).runStudio);
