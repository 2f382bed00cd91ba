/** What is wrong with a command line, in our own words, and what to do. Commander's sentences are not shown. */
import type { Argument, Command, Option } from 'commander';
import type { ListingVideoError } from '../platform/errors.ts';
import { formatChoices } from '../platform/settings/value-kind.ts';
import { nearestHint, usageError } from './cli-error.ts';

/** The words that call a command: `listing-video tasks list`. */
export function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

export function unknownOption(command: Command, flag: string): ListingVideoError {
  const names: string[] = [];
  for (let each: Command | null = command; each !== null; each = each.parent)
    names.push(...each.options.flatMap(({ long, hidden }) => (long === undefined || hidden ? [] : [long])));
  return usageError(`unknown option '${flag}'`, nearestHint(flag, names, helpOf(command)));
}

/** An option at the end of the line, or before another one. */
export function missingValue(command: Command, option: Option): ListingVideoError {
  return usageError(`${nameOf(option)} needs a value: ${option.flags}`, helpOf(command));
}

export function missingArgument(command: Command, name: string): ListingVideoError {
  const argument = command.registeredArguments.find((each) => each.name() === name);
  const shown = `<${name}${argument?.variadic ? '...' : ''}>`;
  const more = name === 'listing' ? ', or listing-video init, which writes a listing' : '';
  return usageError(`${pathOf(command)} needs ${shown}`, `${helpOf(command)}${more}`);
}

export function tooManyArguments(command: Command, words: readonly string[]): ListingVideoError {
  const { length } = command.registeredArguments;
  const takes = length === 0 ? 'no arguments' : `${length} argument${length === 1 ? '' : 's'}`;
  return usageError(
    `${pathOf(command)} takes ${takes}, found one too many: ${quote(words[length] ?? '')}`,
    helpOf(command),
  );
}

export function conflictingOptions(option: Option, other: Option): ListingVideoError {
  return usageError(
    `${nameOf(option)} cannot be combined with ${nameOf(other)}`,
    `leave out ${nameOf(option)} or ${nameOf(other)}`,
  );
}

/** @param reason - Of commander's `InvalidArgumentError`: a sentence such as `Expected a number.` */
export function invalidValue(
  command: Command,
  target: Option | Argument,
  value: string,
  reason: string,
): ListingVideoError {
  const name = 'flags' in target ? nameOf(target) : `<${target.name()}>`;
  const choices = target.argChoices;
  if (choices !== undefined)
    return usageError(
      `${name}: expected ${formatChoices(choices)}, found ${quote(value)}`,
      nearestHint(value, choices, helpOf(command)),
    );
  const sentence = reason.replace(/\.$/, '');
  const words = sentence.charAt(0).toLowerCase() + sentence.slice(1);
  return usageError(`${name}: ${words}, found ${quote(value)}`, helpOf(command));
}

function nameOf({ long, flags }: Option): string {
  return long ?? flags;
}

function helpOf(command: Command): string {
  return `${pathOf(command)} --help`;
}

function quote(text: string): string {
  const characters = [...text];
  return JSON.stringify(characters.length > 60 ? `${characters.slice(0, 60).join('')}…` : text);
}
