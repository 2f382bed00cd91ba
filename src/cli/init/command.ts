/** `listing-video init`: its arguments, options and examples. The work is in `./init-listing.ts`. */
import { InvalidArgumentError, Option } from 'commander';
import { CliCommand, collectWords } from '../define-command.ts';

/** Defines the command. */
export const initCommand = (): CliCommand =>
  new CliCommand('init', 'write a listing step by step')
    .description(
      'Asks for photos, address, facts and agents, and writes a valid listing file. An option answers its question in ' +
        'advance. Nothing is written before the last answer.',
    )
    .argument('[file]', 'listing file to write (default: listing.json)')
    .option('-y, --yes', 'do not prompt; use the defaults')
    .option('--force', 'replace an existing file')
    .option('--render', 'render the videos after the listing is written')
    .option('--no-render', 'do not render and do not ask')
    .option(
      '--photos <dir>',
      'use the photos of this folder, in the order of their names (default: photos, or .)',
    )
    .addOption(
      new Option('--photo <file>', 'use this photo instead of a folder; repeat it in the order of the video')
        .conflicts('photos')
        .argParser(collectWords),
    )
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
    .option('--template <id>', 'set the template of every video')
    .addOption(
      new Option('--ratio <ratio>', 'set the size of every video').choices(['1920:1080', '1080:1920']),
    )
    .option('--preview', 'make a short GIF of every video; --no-preview makes none')
    .addOption(new Option('--no-preview').hideHelp())
    .addOptions(agentOptions())
    .examples({
      init: 'answer all questions',
      'init --photos photos --street "128 Harbor Pine Lane"': 'answer the remaining questions',
      'init --yes --photos photos --agent "June Takemori" --phone "(503) 555-0128" --render':
        'render a folder of photos without questions',
      'init open-house.json --yes --agent "June Takemori" --email june@example.com --agent "Marcus Adebanji"':
        'add two agents: options after an --agent belong to it',
    })
    .does(async () => (await import('./init-listing.ts')).initListing);

/** All of them fill one list: `--agent` adds an entry, the others complete the last one. */
function agentOptions(): Option[] {
  const agents: Record<string, string>[] = [];
  const field = (flags: string, help: string, key: string): Option => {
    const option = new Option(flags, help).argParser((value: string) => {
      const last = agents.at(-1);
      if (last === undefined) throw new InvalidArgumentError('Put it after the --agent it belongs to.');
      last[key] = value;
      return agents;
    });
    option.attributeName = () => 'agents';
    return option;
  };
  const agent = new Option('--agent <name>', 'add an agent, first name first; repeatable').argParser(
    (name: string) => {
      agents.push({ name });
      return agents;
    },
  );
  agent.attributeName = () => 'agents';
  return [
    agent,
    field('--last-name <name>', 'say which part of the name is the last name', 'lastName'),
    field('--agent-id <id>', 'set the id of the agent (default: made from the name)', 'agentId'),
    field('--designation <text>', 'set a title, such as Broker', 'designation'),
    field('--phone <number>', 'set the phone number; abroad with +', 'phone'),
    field('--email <address>', 'set the e-mail address', 'email'),
    field('--license <state-number>', 'set the licence, such as "OR 201234567"', 'license'),
    field('--office <name>', 'set the name of the office', 'office'),
    field('--picture <file>', 'set the portrait: a file or URL', 'picture'),
  ];
}
