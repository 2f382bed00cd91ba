/** `listing-video import`: its options and examples. The work is in `./import-reso.ts` and `./import-csv.ts`. */
import { Option } from 'commander';
import { CliCommand, settingOption } from '../define-command.ts';

/** Options of both kinds, in the order of the help. */
const commonOptions = (): Option[] => [
  new Option('-o, --out <folder>', 'write <folder>/<id>/listing.json for each property').default('listings'),
  new Option('--ndjson <file>', 'write one listing per line to this file instead; - is stdout').conflicts(
    'replace',
  ),
  new Option('--status <status...>', 'import only these, such as Active "Coming Soon"'),
  new Option('--all', 'also import what is off the market, and what the seller or the MLS withholds'),
  new Option('--license-state <state>', 'state of licenses that come without one, such as OR'),
  new Option('--replace', 'also replace listings that were changed since their import'),
  ...settingOption(
    'template',
    'put price, status and open house into the data layers of this template',
    'classic',
  ),
];

export const importCommand = (): CliCommand => {
  const reso = new CliCommand('reso', 'read properties of a RESO Web API, from its address or from files')
    .description(
      'Reads Property records with the names of the RESO Data Dictionary 2.0: one record, an OData answer, an array, or one ' +
        'record per line. Photos, agents, offices and open houses come from expanded Media, ListAgent, ListOffice and OpenHouse, or ' +
        'from media.json, member.json, office.json and openhouse.json beside the file. Each listing is reported: where its fields came from, what was missing, and ' +
        'what was left out. Nothing is invented. From files no photo is fetched. With --url the API is read page by page, photos are ' +
        'fetched into the folder of their listing, and the same command continues after an interruption.',
    )
    .argument('[file...]', 'files with properties, such as the pages of an answer; - is stdin')
    .option(
      '--url <url>',
      "read this RESO Web API, such as 'https://api.example.com/odata/Property?$top=200'",
    )
    .option('--token-env <name>', 'with --url: the environment variable that has the token')
    .option(
      '--since <time>',
      'with --url: read only what was changed since this time; last is the time of the import before, all reads everything again',
    )
    .option('--media <file...>', 'Media records (default: media.json beside the first file)')
    .option('--member <file...>', 'Member records (default: member.json beside the first file)')
    .option('--office <file...>', 'Office records (default: office.json beside the first file)')
    .option('--open-house <file...>', 'OpenHouse records (default: openhouse.json beside the first file)')
    .option('--time-zone <zone>', 'show times of open houses in this zone, such as America/Los_Angeles')
    .addOptions(commonOptions())
    .addOptions(
      settingOption(
        'useProxy',
        'with --url: connect through the proxy of HTTPS_PROXY, HTTP_PROXY and NO_PROXY; --no-use-proxy connects directly',
      ),
    )
    .examples({
      'import reso property.json --out listings': 'write a listing for each property',
      'import reso property.json --status Active "Coming Soon"': 'import only these',
      'import reso - --ndjson listings.ndjson < property.json': 'read from stdin, write one listing per line',
      'import reso property.json --json': 'print the report as JSON',
      "import reso --url 'https://api.example.com/odata/Property' --token-env MLS_TOKEN":
        'read a feed, with its photos',
      "import reso --url 'https://api.example.com/odata/Property' --token-env MLS_TOKEN --since last":
        'read what was changed since then',
    })
    .does(async () => (await import('./import-reso.ts')).importReso);
  const csv = new CliCommand('csv', 'read properties of a CSV file')
    .description(
      'Reads one property per row. The first row names the columns: names of the RESO Data Dictionary 2.0 and common others, such ' +
        'as MLS #, Beds and Sq Ft, are known; --map gives others their field. Commas, semicolons, tabs and bars separate, in UTF-8, ' +
        'UTF-16 or Windows-1252. Photos are files that --photos finds, or URLs in a column called Photos.',
    )
    .argument('<file>', 'file with properties; - is stdin')
    .option('--photos <pattern>', 'files of each property; {ListingId} stands for the value of a column')
    .option(
      '--map <file>',
      'JSON or its file: the field of each column that is not known, what its values mean',
    )
    .addOptions(commonOptions())
    .examples({
      'import csv listings.csv --photos "photos/{ListingId}-*.jpg"': 'write a listing for each row',
      'import csv listings.csv --map columns.json': 'say which column is which field, and that A is Active',
      'import csv - --json < listings.csv': 'read from stdin, print the report as JSON',
    })
    .does(async () => (await import('./import-csv.ts')).importCsv);
  return new CliCommand('import', 'make listings from MLS data')
    .description('Makes listing files from the data of an MLS. `create` takes their folder as a batch.')
    .subcommands(reso, csv)
    .examples({
      'import reso property.json': 'read properties of a RESO Web API',
      'import csv listings.csv': 'read the rows of a spreadsheet',
    });
};
