/** The order of the test files: those that take longest begin first, so that both workers end at about the same time. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Above 10 CPU seconds, longest first. A name that fits no file does no harm. */
const LONGEST = [
  'template/shipped-templates',
  'e2e/trouble',
  'e2e/create',
  'assets/prepare-assets',
  'page/browser',
  'page/studio',
  'e2e/batch',
  'e2e/serve',
  'account/account-crash-points',
  'task/file-store-crash-points',
  'hostile/machine-faults',
  'hostile/killed-containers',
  'hostile/photo-hosts',
  'library/installed-package',
  'task/file-store-stopped',
  'e2e/shapes',
  'storyboard/scenes/layouts',
  'account/account-processes',
  'assets/decode-process',
  'cli/examples',
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
