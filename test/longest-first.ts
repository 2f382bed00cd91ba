/** The order of the test files: those that take longest begin first, so that all workers end at about the same time. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Above 7 seconds in a whole run, longest first. A name that fits no file does no harm. */
const LONGEST = [
  'e2e/two-machines',
  'e2e/trouble',
  'studio/studio',
  'e2e/serve',
  'studio/browser',
  'assets/prepare-assets',
  'studio/studio-forms',
  'cli/examples',
  'e2e/batch',
  'e2e/divided-task',
  'storage/serve-bucket',
  'cli/launcher',
  'e2e/worker',
  'template/shipped-templates',
  'e2e/create',
  'library/installed-package',
  'e2e/webhooks',
  'hostile/photo-hosts',
  'hostile/killed-containers',
  'storage/bucket-files',
  'studio/whole-service',
  'cli/terminal-sessions',
  'e2e/shapes',
  'hostile/machine-faults',
  'account/account-crash-points',
  'storyboard/scenes/layouts',
  'account/webhook/webhook-crash-points',
  'assets/decode-process',
  'encode/audio/own-track',
  'hostile/lists',
  'video/stage/stage',
  'task/file-store-crash-points',
  'postgres/backup-database',
  'task/file-store-stopped',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(`test/${name}.test.ts`));
      return at === -1 ? LONGEST.length : at;
    };
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}
