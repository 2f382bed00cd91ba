/** The dependencies of accounts and webhooks in files. */
import {
  type AccountDeps,
  type AccountStoreOptions,
  toAccountDefaults,
} from '../../accounts/account-deps.ts';
import { HomeFiles, type HomeFilesOptions } from './home-files.ts';

export interface FileDeps extends AccountDeps {
  readonly files: HomeFiles;
  readonly tasks: AccountStoreOptions['tasks'];
}

export function toFileDeps(options: HomeFilesOptions & AccountStoreOptions): FileDeps {
  return { ...toAccountDefaults(options), tasks: options.tasks, files: new HomeFiles(options) };
}
