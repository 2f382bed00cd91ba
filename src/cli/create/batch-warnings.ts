/** The warnings of a batch, each kind once with the number of listings: two hundred alike would hide the one that matters. */

/** So many kinds are kept: a warning can quote a listing. */
const MAX_KINDS = 200;

interface Kind {
  /** Of the first listing. */
  readonly file: string;
  readonly message: string;
  readonly files: Set<string>;
}

/** Filled while listings end, read at the end. */
export class BatchWarnings {
  readonly #kinds = new Map<string, Kind>();

  /** @param file - Names the listing. */
  add(file: string, message: string): void {
    const key = kindOf(message);
    const known = this.#kinds.get(key);
    if (known !== undefined) known.files.add(file);
    else if (this.#kinds.size < MAX_KINDS) this.#kinds.set(key, { file, message, files: new Set([file]) });
  }

  /** One sentence for each kind: the most frequent first. */
  sentences(): string[] {
    const sorted = [...this.#kinds].sort(([, a], [, b]) => b.files.size - a.files.size);
    return sorted.map(([kind, { file, message, files }]) =>
      files.size === 1 ? `${file}: ${message}` : `${files.size} listings: ${kind}`,
    );
  }
}

/** Without the names of files and agents: `the caption of photo 1 is not shown`. */
function kindOf(message: string): string {
  return message.replace(/(\bphoto \d+) \([^)]*\)/g, '$1');
}
