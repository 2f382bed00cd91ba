/** Entry point of a render thread. */
import { startModule } from '../../platform/start-module.js';

await startModule(import.meta.url, './frame-worker');
