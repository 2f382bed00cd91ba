/** Where the process that does a server's task starts. */
import { startModule } from '../../platform/start-module.js';

await startModule(import.meta.url, './run-task');
