/** `listing-video init`: its arguments, options and examples. The work is in `./init-listing.ts`. */
import { InvalidArgumentError, Option } from 'commander';
import { CliCommand, collectWords } from '../define-command.ts';

export const initCommand = (): CliCommand =>
  new CliCommand('init', 'write a listing step by step')
    .description(
      'Asks for photos, address, facts and agents, and writes a valid listing file. An option answers its question in ' +
        'advance. Ctrl-C keeps the answers: run init again to continue. The listing is written after the last answer. Then ' +
        'init can render the videos, or open the studio for captions, order, texts and template.',
    )
    .argument('[file]', 'listing file to write (default: listing.json)')
    .option('-y, --yes', 'do not prompt; use the defaults. The same as --no-input')
    .option('-f, --force', 'replace an existing file')
    .option('--render', 'render the videos after the listing is written')
    .option('--no-render', 'do not render and do not ask')
    .option('--photos <dir>', 'use the photos of this folder (default: photos, or .)')
    .addOptions([
      repeatable('--photo <file>', 'use this photo instead of a folder').conflicts('photos'),
      new Option(
        '--order <order>',
        'sort the photos (default: name for a folder, as-given for --photo); time is when the camera took them',
      ).choices(['name', 'time', 'as-given']),
      new Option('--first <photo>', 'open the video with this photo: a file name, or a number in the order'),
      repeatable('--caption <photo=text>', 'set the caption of a photo, by file name or number in the video'),
      repeatable(
        '--altered <photo[=label]>',
        'label a photo as altered, such as "staged.jpg=Virtually staged" (default label: Digitally altered)',
      ),
      repeatable(
        '--original <photo=file>',
        'name the original of an altered photo, which is shown right after it and nowhere else',
      ),
      repeatable('--floor-plan <photo>', 'say that a photo is a floor plan'),
      repeatable(
        '--emphasis <photo[=level]>',
        'show a photo alone and twice as long (high, the default), or with others (low)',
      ),
      repeatable('--focus <photo=x,y>', 'keep a point of a photo in view, such as "kitchen.jpg=0.25,0.6"'),
    ])
    .option(
      '--id <id>',
      'set the id of the listing (default: made from the street, else from the folder of the photos)',
    )
    .option('--street <street>', 'set street and number')
    .option('--city <city>', 'set the city')
    .option('--state <state>', 'set the state')
    .option('--postal-code <code>', 'set the postal code')
    .option('--bedrooms <n>', 'set the number of bedrooms')
    .option('--bathrooms <n>', 'set the number of full bathrooms')
    .option('--half-bathrooms <n>', 'set the number of half bathrooms')
    .option('--square-feet <n>', 'set the interior area')
    .option('--price <price>', 'set the price: digits or words')
    .option('--status <text>', 'set the status, such as "Just listed" or "Sold"')
    .option('--open-house <text>', 'set date and time of an open house in words')
    .option('--headline <text>', 'set the headline above the address')
    .option('--link <url>', 'set the link of the QR code')
    .option('--length <length>', 'set the length of every video: short, normal, long, or seconds such as 30s')
    .option('--template <id>', 'set the template of every video')
    .option('--logo <file>', 'set the logo: a file or URL')
    .addOption(
      new Option(
        '--ratio <ratio>',
        'set the shape of every video: 1920:1080 (wide) or 1080:1920 (vertical)',
      ).choices(['1920:1080', '1080:1920']),
    )
    .settings('alsoRatio')
    .option('--preview', 'make a short GIF of every video; --no-preview makes none')
    .addOption(new Option('--no-preview').hideHelp())
    .addOptions(agentOptions())
    .examples({
      init: 'answer all questions',
      'init --photos photos --street "128 Harbor Pine Lane"': 'answer the remaining questions',
      'init --yes --photos photos --agent "June Takemori" --phone "(503) 555-0128" --render':
        'render a folder of photos without questions',
      'init --yes --order time --first front.jpg --caption "kitchen.jpg=The kitchen" --agent "June Takemori"':
        'sort photos by the time they were taken, choose the opening, add a caption',
      'init open-house.json --yes --agent "June Takemori" --email june@example.com --agent "Marcus Adebanji"':
        'add two agents: options after an --agent belong to it',
    })
    .does(async () => (await import('./init-listing.ts')).initListing);

const repeatable = (flags: string, help: string): Option =>
  new Option(flags, `${help}; repeatable`).argParser(collectWords);

const AGENT_OPTIONS = {
  '--agent <name>': 'add an agent, first name first; repeatable',
  '--last-name <name>': 'say which part of the name is the last name',
  '--agent-id <id>': 'set the id of the agent (default: made from the name)',
  '--designation <text>': 'set a title, such as Broker',
  '--phone <number>': 'set the phone number; abroad with +',
  '--email <address>': 'set the e-mail address',
  '--license <state-number>':
    'set the license, such as "OR 201234567"; without a state it gets that of the house',
  '--office <name>': 'set the name of the office',
  '--picture <file>': 'set the portrait: a file or URL',
};

/** All of them fill one list: `--agent` adds an entry, the others complete the last one. */
function agentOptions(): Option[] {
  const agents: Record<string, string>[] = [];
  return Object.entries(AGENT_OPTIONS).map(([flags, help]) => {
    const option = new Option(flags, help);
    const key = option.attributeName();
    option.attributeName = () => 'agents';
    return option.argParser((value: string) => {
      if (key === 'agent') agents.push({});
      const last = agents.at(-1);
      if (last === undefined) throw new InvalidArgumentError('Put it after the --agent it belongs to.');
      last[key] = value;
      return agents;
    });
  });
}
