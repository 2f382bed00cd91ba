/** Where the process that decodes music in WebAssembly starts. */
import { startModule } from '../../../platform/start-module.js';

await startModule(import.meta.url, './wasm-decoder');
