/** The file store: the contract of every store. */
import { openFileHarness } from './store-harness.ts';
import { describeTaskStore } from './task-store-contract.ts';

describeTaskStore('the file store', openFileHarness);
