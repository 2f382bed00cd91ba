/** The ids of uploads: 128 random bits, so that nobody can guess one. */
import { randomBytes } from 'node:crypto';

const UPLOAD_ID = /^upload_[0-9a-f]{32}$/;

export function newUploadId(): string {
  return `upload_${randomBytes(16).toString('hex')}`;
}

/** True for a text that can be the id of an upload. Such a name cannot leave its folder. */
export function isUploadId(text: string): boolean {
  return UPLOAD_ID.test(text);
}
