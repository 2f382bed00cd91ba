/** The questions about the agents. Each agent gets a video. */
import { toId } from '../../listing/words/to-id.ts';
import { usageError } from '../cli-error.ts';
import { type AgentAnswers, unusedId } from './draft-listing.ts';
import type { AgentFlags, GivenAnswers } from './given-answers.ts';
import type { Interview, TextRule } from './interview.ts';
import { fileRule } from './local-file.ts';
import {
  type AnswerCheck,
  invalid,
  optional,
  type Rule,
  textRule,
  valid,
  validateEmailAnswer,
  validateLicense,
  validatePhone,
} from './validate-answer.ts';

const MAX_AGENTS = 20;

/** @returns At least one agent. */
export async function gatherAgents(
  ask: Interview,
  { cwd, given }: { readonly cwd: string; readonly given: GivenAnswers },
): Promise<readonly AgentAnswers[]> {
  const agents: AgentAnswers[] = [];
  for (const flags of given.agents ?? []) agents.push(await gatherAgent(ask, flags, cwd, agents));
  if (agents.length > 0) return agents;
  if (!ask.isAsking)
    throw usageError(
      '--agent is missing: a listing needs an agent',
      '--agent "June Takemori" --phone "(503) 555-0128"',
    );
  do {
    agents.push(await gatherAgent(ask, null, cwd, agents));
  } while (
    agents.length < MAX_AGENTS &&
    (await ask.yesNo(`another agent ${agents.length}`, 'Another agent?', false))
  );
  return agents;
}

/** @param flags - An agent of the command line, who is complete; null: ask. */
async function gatherAgent(
  ask: Interview,
  flags: AgentFlags | null,
  cwd: string,
  earlier: readonly AgentAnswers[],
): Promise<AgentAnswers> {
  const usedIds = earlier.map(({ id }) => id);
  const name = flags?.name === undefined ? null : splitName(flags.name, flags.lastName);
  const text = <T>(
    flag: string,
    given: string | undefined,
    message: string,
    rule: TextRule<T>,
    preset?: string,
  ): Promise<T> => {
    const key = `agent ${earlier.length + 1} ${flag.slice(2)}`;
    // What an agent of the command line lacks is not asked: nobody answers for one agent in two ways.
    const known = flags === null ? given : (given ?? preset ?? '');
    return ask.text({ key, flag, given: known, message, rule, ...(preset === undefined ? {} : { preset }) });
  };
  const firstName = await text('--agent', name?.first, "Agent's first name", textRule('a first name'));
  const lastName = await text('--last-name', name?.last, "Agent's last name", lastNameRule);
  const presetId = unusedId(toId(`${firstName} ${lastName}`), usedIds);
  const designationRule = optional(textRule('a designation'));
  return {
    firstName,
    lastName,
    designation: await text(
      '--designation',
      flags?.designation,
      'Designation, such as Broker',
      designationRule,
    ),
    phone: await text('--phone', flags?.phone, 'Phone', optional(validatePhone)),
    email: await text('--email', flags?.email, 'E-mail', optional(validateEmailAnswer)),
    license: await text(
      '--license',
      flags?.license,
      'Licence, such as OR 201234567',
      optional(validateLicense),
    ),
    office: await text('--office', flags?.office, 'Office', optional(textRule('an office'))),
    picture: await text('--picture', flags?.picture, 'Portrait, a file or URL', optional(fileRule(cwd))),
    id: await text('--agent-id', flags?.agentId, 'Id of the agent', idRule(usedIds), presetId),
  };
}

/** `Maria de la Cruz` is `Maria de la` and `Cruz` unless `lastName` says otherwise. */
function splitName(name: string, lastName: string | undefined): { first: string; last: string } {
  const words = name.trim().split(/\s+/);
  const whole = words.join(' ');
  const last = lastName ?? (words.length > 1 ? words.at(-1)! : '');
  return { first: whole.endsWith(` ${last}`) ? whole.slice(0, -last.length - 1) : whole, last };
}

/** A last name can be empty: some people have one name. */
function lastNameRule(text: string): AnswerCheck<string> {
  return text.trim() === '' ? valid('') : textRule('a last name')(text);
}

function idRule(usedIds: readonly string[]): Rule<string> {
  return (text) =>
    usedIds.includes(text.trim()) ? invalid('an earlier agent has this id') : textRule('an id')(text);
}
