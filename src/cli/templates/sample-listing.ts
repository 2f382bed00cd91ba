/** The listing that ships with the package, for trying a template without one of one's own. */
import { fileURLToPath } from 'node:url';

/** The same two levels up from `src/cli` and from `dist/cli`. */
export const SAMPLE_LISTING = fileURLToPath(new URL('../../../fixtures/listing.json', import.meta.url));
