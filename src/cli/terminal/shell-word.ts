/** Words of a command line that people copy. */

/** A word as a POSIX shell reads it back: one with blanks or signs of the shell is quoted. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./\\~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
