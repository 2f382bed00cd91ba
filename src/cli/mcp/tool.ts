/** What a tool of the server is. */
import type { JsonSchema } from '../../listing/rules/schema.ts';
import type { TaskProgress } from '../../task/task.ts';

/** One call of a tool. */
export interface ToolCall {
  /** Aborted when the assistant no longer waits for the answer, and when the server ends. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: TaskProgress) => void;
}

export interface FileLink {
  /** Absolute. */
  readonly file: string;
  readonly title: string;
  readonly mimeType: string;
}

export interface ToolAnswer {
  /** As the output schema of the tool describes it. */
  readonly document: object;
  /** JPEGs of at most `MAX_IMAGE_BYTES`. */
  readonly images?: readonly Uint8Array[];
  readonly links?: readonly FileLink[];
}

/** Checked against the input schema of the tool. */
// biome-ignore lint/suspicious/noExplicitAny: each tool has its own arguments, which its schema describes.
export type ToolArguments = Readonly<Record<string, any>>;

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: JsonSchema;
  readonly output: JsonSchema;
  /** It writes nothing that people look for. */
  readonly isReadOnly: boolean;
  /** It can replace files or end work. */
  readonly isDestructive?: boolean;
  call(args: ToolArguments, call: ToolCall): Promise<ToolAnswer>;
}

/** A call whose progress is that of one part of the work, from one percent to another. */
export function partOf({ signal, onProgress }: ToolCall, from: number, to: number): ToolCall {
  return {
    signal,
    onProgress: ({ percent, ...progress }) =>
      onProgress({ ...progress, percent: from + (percent * (to - from)) / 100 }),
  };
}
