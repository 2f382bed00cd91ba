/** Entry point of a render thread. */
import { startModule } from '../start-module.js';

await startModule(import.meta.url, './frame-worker');
