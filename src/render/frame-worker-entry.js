/** Where a render thread starts. */
import { startModule } from '../start-module.js';

await startModule(import.meta.url, './frame-worker');
