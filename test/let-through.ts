import { chmodSync, statSync } from 'node:fs';

/** Lets every user through `folder` to what lies in it, and changes no other right: `/tmp` stays what it is. */
export function letThrough(folder: string): void {
  chmodSync(folder, (statSync(folder).mode & 0o7777) | 0o011);
}
