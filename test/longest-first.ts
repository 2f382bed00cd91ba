/** The order of the test files: those that take longest begin first, so that all workers end at about the same time. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Above 7 seconds in a whole run, longest first. */
const LONGEST = [
  'e2e/two-machines',
  'e2e/trouble',
  'studio/studio',
  'e2e/serve',
  'studio/browser',
  'media/assets/prepare-assets',
  'studio/studio-forms',
  'cli/examples',
  'media/encode/audio/own-track',
  'e2e/batch',
  'e2e/divided-task',
  'video/bucket/serve-bucket',
  'cli/launcher',
  'e2e/worker',
  'design/template/shipped-templates',
  'e2e/create',
  'library/installed-package',
  'e2e/webhooks',
  'hostile/photo-hosts',
  'api/generated-client/client',
  'hostile/killed-containers',
  'video/bucket/bucket-files',
  'studio/whole-service',
  'cli/terminal-sessions',
  'video/stage/stage',
  'e2e/shapes',
  'hostile/machine-faults',
  'task/accounts/account-crash-points',
  'design/storyboard/scenes/layouts',
  'task/accounts/webhook/webhook-crash-points',
  'media/assets/decode-process',
  'hostile/lists',
  'fuzz/segment-keys',
  'task/file-store-crash-points',
  'task/postgres/backup-database',
  'task/file-store-stopped',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    for (const name of LONGEST) {
      // Unnoticed, a file that has moved would begin last.
      if (!existsSync(fileOf(name)))
        throw new Error(`test/longest-first.ts names ${name}, which is no test file`);
    }
    const rank = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.findIndex((name) => moduleId === fileOf(name));
      return at === -1 ? LONGEST.length : at;
    };
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}

function fileOf(name: string): string {
  return fileURLToPath(new URL(`./${name}.test.ts`, import.meta.url));
}
