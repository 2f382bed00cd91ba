/** Where the process that does a server's task starts. */
import { startModule } from '../start-module.js';

await startModule(import.meta.url, './run-task');
