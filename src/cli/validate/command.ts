/** `listing-video validate`: finds what `create` would refuse, and renders nothing. */
import { CliCommand } from '../define-command.ts';

export const validateCommand = (): CliCommand =>
  new CliCommand('validate', 'validate listings, render nothing')
    .description(
      'Finds what create would refuse, and prints every violation with its line and column: broken rules, unknown templates, ' +
        'templates with faults, listings with the same id, too few usable photos. Photos and data that the videos would leave out, words that fair-housing rules warn of, misspelled states, and prices and areas that are too small are warnings. ' +
        'It reads the beginning of every local photo, and decodes only as many as it takes to know that enough are usable: one, unless --min-assets is higher. Photos ' +
        'on the network are not fetched. In GitHub Actions each violation becomes an annotation.',
    )
    .argument(
      '<listing...>',
      'listing files, folders or globs; - reads one from stdin, or one per line (NDJSON)',
    )
    .settings('out', 'template', 'templatesDir', 'minAssets', 'untrusted', 'server')
    .examples({
      'validate listing.json': 'validate one listing',
      'validate listings/ "drafts/*.json"': 'validate several listings',
      'validate listing.json --templates-dir templates': 'validate a listing that uses your own template',
      'validate new.ndjson': 'validate one listing per line',
      'validate listings/ --untrusted': 'validate listings of strangers, such as a pull request',
      'validate --json - < listing.json': 'read from stdin, print JSON',
    })
    .does(async () => (await import('./run-validate.ts')).runValidate);
