/** Where a preview's thread starts. */
import { startModule } from '../../../platform/start-module.js';

await startModule(import.meta.url, './gif-thread');
