/** The store in memory keeps the contract of every store, so that tests on it mean something. */
import { openMemoryHarness } from './store-harness.ts';
import { describeTaskStore } from './task-store-contract.ts';

describeTaskStore('the memory store', openMemoryHarness);
