/**
 * Errors and warnings as programs read them: with the options of the library where the command line has flags, and with
 * source files where the build has bundles.
 */
import { ListingVideoError } from '../platform/errors.ts';
import { SETTING_NAMES, SETTINGS } from '../platform/settings/setting-table.ts';
import { inSourceFiles } from './source-files.ts';

const OPTIONS = new Map<string, string>([
  ...SETTING_NAMES.map((name) => [SETTINGS[name].flag, name] as const),
  ['--force', 'force'],
]);

/** Runs a function of the library. @throws What it throws, in the words of the library. */
export async function sayInLibraryWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw inLibraryWords(error);
  }
}

/** The same error: its identity, code and context stay. */
export function inLibraryWords(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { message, stack } = error;
  if (error instanceof ListingVideoError) {
    const { hint } = error;
    Object.assign(error, {
      message: inOptions(message),
      ...(hint !== undefined && { hint: inOptions(hint) }),
    });
  }
  // A DOMException has a stack that cannot be set.
  if (stack !== undefined && Object.hasOwn(error, 'stack'))
    error.stack = inSourceFiles(stack.replace(message, () => error.message));
  if (error.cause !== undefined) inLibraryWords(error.cause);
  return error;
}

/** `minAssets` for `--min-assets`, but not within a command in backticks. */
export function inOptions(text: string): string {
  return text
    .split('`')
    .map((part, at) =>
      at % 2 === 1 ? part : part.replace(/(?<![\w-])--[a-z][a-z-]*/g, (flag) => OPTIONS.get(flag) ?? flag),
    )
    .join('`');
}
