/** `listing-video import`: its options and examples. The work is in `./import-reso.ts` and `./import-csv.ts`. */
import { Option } from 'commander';
import { CliCommand } from '../define-command.ts';

/** Options of both kinds, in the order of the help. */
const commonOptions = (): Option[] => [
  new Option('-o, --out <folder>', 'write <folder>/<id>/listing.json for each property').default('listings'),
  new Option('--ndjson <file>', 'write one listing per line to this file instead; - is stdout').conflicts(
    'replace',
  ),
  new Option('--status <status...>', 'import only these, such as Active "Coming Soon"'),
  new Option('--all', 'also import what is off the market, and what the seller or the MLS withholds'),
  new Option('--license-state <state>', 'state of licences that come without one, such as OR'),
  new Option('--replace', 'also replace listings that were changed since their import'),
];

/** Defines the command. */
export const importCommand = (): CliCommand => {
  const reso = new CliCommand('reso', 'read properties of a RESO Web API')
    .description(
      'Reads Property records with the names of the RESO Data Dictionary 2.0: one record, an OData answer, an array, or one ' +
        'record per line. Photos, agents and offices come from expanded Media, ListAgent and ListOffice, or from media.json, ' +
        'member.json and office.json beside the file. Each listing is reported: where its fields came from, what was missing, and ' +
        'what was left out. Nothing is invented, and no photo is fetched.',
    )
    .argument('<file...>', 'files with properties, such as the pages of an answer; - is stdin')
    .option('--media <file...>', 'Media records (default: media.json beside the first file)')
    .option('--member <file...>', 'Member records (default: member.json beside the first file)')
    .option('--office <file...>', 'Office records (default: office.json beside the first file)')
    .addOptions(commonOptions())
    .settings('template')
    .examples({
      'import reso property.json --out listings': 'write a listing for each property',
      'import reso property.json --status Active "Coming Soon"': 'import only these',
      'import reso - --ndjson listings.ndjson < property.json': 'read from stdin, write one listing per line',
      'import reso property.json --json': 'print the report as JSON',
    })
    .does(async () => (await import('./import-reso.ts')).importReso);
  return new CliCommand('import', 'make listings from MLS data')
    .description('Makes listing files from the data of an MLS. `create` takes their folder as a batch.')
    .subcommands(reso)
    .examples({ 'import reso property.json': 'read properties of a RESO Web API' });
};
