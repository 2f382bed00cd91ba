/** Where a decoding process starts. */
import { startModule } from '../../../platform/start-module.js';

await startModule(import.meta.url, './decode-worker');
