/** Reports changes of tasks that any process made. Types only; `TaskNotices` reports those in a database. */

export interface TaskChanges {
  /** True while no change is missed. Otherwise look for changes. */
  readonly isListening: boolean;
  /** Begins to listen. Call it once. */
  start(listener: ChangeListener): void;
  /** Ends it for good. */
  stop(): void;
}

export interface ChangeListener {
  /** A task changed, or its progress. It can be called for a task without any change. */
  onChange(id: string): void;
  /** `isListening` changed: changes before this moment can have been missed. */
  onBreak(): void;
}
