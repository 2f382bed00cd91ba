/** The order of the test files: those that take longest begin first, so that all workers end at about the same time. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Above 5 seconds of CPU, or of waiting, longest first. */
const LONGEST = [
  'e2e/two-machines',
  'e2e/divided-task',
  'studio/studio',
  'e2e/serve',
  'e2e/create',
  'e2e/trouble',
  'media/assets/copies',
  'golden/golden-frames',
  'studio/browser',
  'media/assets/prepare-assets',
  'video/bucket/serve-bucket',
  'studio/studio-forms',
  'library/installed-package',
  'design/template/shipped-templates',
  'task/accounts/webhook/webhook-crash-points',
  'e2e/batch',
  'e2e/worker',
  'studio/altered-photos',
  'e2e/webhooks',
  'hostile/photo-hosts',
  'cli/examples',
  'hostile/killed-containers',
  'task/accounts/account-crash-points',
  'design/storyboard/scenes/layouts',
  'cli/launcher',
  'e2e/shapes',
  'studio/whole-service',
  'cli/terminal-sessions',
  'task/file-store-crash-points',
  'media/encode/audio/beats/find-beats',
  'e2e/two-commands',
  'video/lint-template',
  'media/assets/decode-process',
  'video/stage/stage',
  'e2e/studio',
  'hostile/machine-faults',
  'fuzz/altered-pixels',
  'media/encode/audio/loudness',
  'media/assets/picture-look',
  'media/encode/audio/own-track',
  'api/client/uploads',
  'library/create-app',
  'task/postgres/postgres-stores',
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
