/** Statements, and parts of them, whose values stay apart from their text: sql`select … where id = ${id}`. */

export class Sql {
  readonly #texts: readonly string[];
  readonly #values: readonly unknown[];
  #name: string | undefined;

  constructor(texts: readonly string[], values: readonly unknown[]) {
    this.#texts = texts;
    this.#values = values;
  }

  /** The text with `$1`, `$2`, … and what they stand for. */
  toStatement(): { readonly text: string; readonly values: unknown[]; readonly name: string | undefined } {
    const values: unknown[] = [];
    return { text: this.#write(values), values, name: this.#name };
  }

  /** Each connection plans it once. For one that runs often and has the same text each time. */
  prepared(name: string): this {
    this.#name = name;
    return this;
  }

  #write(values: unknown[]): string {
    let text = this.#texts[0] ?? '';
    for (const [index, value] of this.#values.entries()) {
      text += value instanceof Sql ? value.#write(values) : `$${values.push(value)}`;
      text += this.#texts[index + 1];
    }
    return text;
  }
}

/** Pass JSON as text, because `pg` makes a PostgreSQL array of an array. */
export function sql(texts: readonly string[], ...values: readonly unknown[]): Sql {
  return new Sql(texts, values);
}

/** Text of our own, such as names of columns. Never that of a user. */
export function raw(text: string): Sql {
  return new Sql([text], []);
}

/** The values, or parts of statements, separated by commas. */
export function list(values: readonly unknown[]): Sql {
  return new Sql(['', ...values.slice(1).map(() => ', '), ''], values);
}

export function all(conditions: readonly Sql[]): Sql {
  return new Sql(['', ...conditions.slice(1).map(() => ' and '), ''], conditions);
}

/** Adds rows with the same columns to a table of `listing_video`; one at least. */
export function insertInto(table: string, ...rows: readonly Readonly<Record<string, unknown>>[]): Sql {
  const columns = raw(Object.keys(rows[0]!).map(toColumn).join(', '));
  const values = list(rows.map((row) => sql`(${list(Object.values(row))})`));
  return sql`insert into listing_video.${raw(table)} (${columns}) values ${values}`;
}

/** `organizationId` is the column `organization_id`. */
export function toColumn(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The way back: rows have the names of records. */
export function toName(column: string): string {
  return column.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** JSON as text; null for null, which a column keeps as its own null. */
export function toJsonText(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}

/**
 * Makes the commit of the same statement not wait for the disk. After a crash of the database the change can be lost,
 * but then all later changes are lost with it. Use it as `with quick as (…) update … from quick`.
 */
export const QUICK_COMMIT = sql`select set_config('synchronous_commit', 'off', true)`;

/** For a time, as a condition. A time in the future is not recent: the clock was set back after it. */
export function within(ms: number): Sql {
  const span = raw(`interval '${ms} ms'`);
  return sql`between clock_timestamp() - ${span} and clock_timestamp() + ${span}`;
}
