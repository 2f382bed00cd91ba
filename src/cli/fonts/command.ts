/** `listing-video fonts`: fonts for scripts that the program does not carry. The work is in `./manage-fonts.ts`. */
import { CliCommand } from '../define-command.ts';

const load = () => import('./manage-fonts.ts');

/** Defines the command. Without a subcommand it is `list`. */
export const fontsCommand = (): CliCommand => {
  const list = new CliCommand('list', 'list the fonts that can be added')
    .alias('ls')
    .description(
      'Lists the fonts for more scripts, and whether this machine has them. `fonts` alone does the same.',
    )
    .examples({ 'fonts list': 'see which scripts this machine can draw' })
    .does(async () => (await load()).printFonts);
  const add = new CliCommand('add', 'install fonts for more scripts')
    .description(
      'Installs fonts for more scripts into the data folder, with npm and its settings: registry, proxy, certificates. ' +
        'Latin, Greek, Cyrillic, Arabic, Hebrew, Devanagari and Thai need none.',
    )
    .argument('<font...>', 'language, script or package, such as ja or bengali; all; or a file of npm pack')
    .examples({
      'fonts add ja': 'draw Japanese',
      'fonts add zh zh-hant': 'draw simplified and traditional Chinese',
      'fonts add all': 'install all fonts (25 MB)',
    })
    .does(async () => (await load()).installFonts);
  const remove = new CliCommand('remove', 'remove fonts that were added')
    .alias('rm')
    .description('Removes fonts from the data folder.')
    .argument('<font...>', 'language, script or package, such as ja; or all')
    .examples({ 'fonts remove ja': 'remove the font for Japanese' })
    .does(async () => (await load()).deleteFonts);
  return new CliCommand('fonts', 'add fonts for more scripts')
    .description('Lists, installs and removes fonts for scripts that listing-video has no font for.')
    .defaultSubcommand(list)
    .subcommands(add, remove)
    .examples({ fonts: 'see which scripts this machine can draw', 'fonts add ja': 'draw Japanese' });
};
