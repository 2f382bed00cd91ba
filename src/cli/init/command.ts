/** `listing-video init`: the words, options and help. The work is in `./init-listing.ts`. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { addExamples, type CommandDefinition, startsWith } from '../define-command.ts';

/** See the file's head. */
export const initCommand: CommandDefinition = (start) => {
  const command = new Command('init')
    .summary('write a listing, step by step')
    .description(
      'Asks for photos, address, facts and agents, and writes a listing file that is valid. Every answer is also an\n' +
        'option; with --yes nothing is asked. Nothing is written before the last answer.',
    )
    .argument('[file]', 'listing file to write (default: listing.json)')
    .option('-y, --yes', 'ask nothing: what no option says takes its default')
    .option('--force', 'replace the file if it is there')
    .option('--render', 'render the videos when the listing is written')
    .option('--no-render', 'do not, and do not ask')
    .option(
      '--photos <dir>',
      'folder of photos, in the order of their names (default: photos, or this folder)',
    )
    .addOption(
      new Option('--photo <file>', 'a photo, instead of a folder; repeated, in the order of the film')
        .conflicts('photos')
        .argParser((value: string, before: readonly string[] = []) => [...before, value]),
    )
    .option('--id <id>', 'id of the listing (default: made from the street)')
    .option('--street <street>', 'street and number')
    .option('--city <city>', 'city')
    .option('--state <state>', 'state')
    .option('--postal-code <code>', 'postal code')
    .option('--bedrooms <n>', 'bedrooms')
    .option('--bathrooms <n>', 'bathrooms')
    .option('--half-bathrooms <n>', 'half bathrooms')
    .option('--square-feet <n>', 'square feet inside')
    .option('--template <id>', 'template of every video')
    .addOption(new Option('--ratio <ratio>', 'shape of every video').choices(['1920:1080', '1080:1920']))
    .option('--preview', 'a short GIF of every video (--no-preview: of none)')
    .addOption(new Option('--no-preview').hideHelp());
  for (const option of agentOptions()) command.addOption(option);
  addExamples(command, [
    ['listing-video init', 'step by step'],
    ['listing-video init --photos photos --street "128 Harbor Pine Lane"', 'only what these do not say'],
    [
      'listing-video init --yes --photos photos --agent "June Takemori" --phone "(503) 555-0128" --render',
      'from a folder of photos to a video, without a question',
    ],
    [
      'listing-video init open-house.json --yes --agent "June Takemori" --email june@example.com --agent "Marcus Adebanji"',
      'two agents: what follows an --agent is theirs',
    ],
  ]);
  return startsWith(command, start, async (run) => {
    const { initListing } = await import('./init-listing.ts');
    return initListing(run);
  });
};

/** All of them fill one list: `--agent` begins an entry, the others add to the last. */
function agentOptions(): Option[] {
  const agents: Record<string, string>[] = [];
  const field = (flags: string, help: string, key: string): Option => {
    const option = new Option(flags, help).argParser((value: string) => {
      const last = agents.at(-1);
      if (last === undefined) throw new InvalidArgumentError('It belongs after the --agent it is about.');
      last[key] = value;
      return agents;
    });
    option.attributeName = () => 'agents';
    return option;
  };
  const agent = new Option('--agent <name>', 'an agent, first name first; may be repeated').argParser(
    (name: string) => {
      agents.push({ name });
      return agents;
    },
  );
  agent.attributeName = () => 'agents';
  return [
    agent,
    field('--last-name <name>', 'the part of the name before it that is the last name', 'lastName'),
    field('--agent-id <id>', 'id of the agent (default: made from the name)', 'agentId'),
    field('--designation <text>', 'such as Broker', 'designation'),
    field('--phone <number>', 'in any form; from abroad with +', 'phone'),
    field('--email <address>', 'e-mail address', 'email'),
    field('--license <state-number>', 'such as "OR 201234567"', 'license'),
    field('--office <name>', 'name of the office', 'office'),
    field('--picture <file>', "file or URL of the agent's picture", 'picture'),
  ];
}
