/** The webhooks in memory, which other tests use: the contract of every store. */
import { openMemoryWebhookHarness } from './webhook-harness.ts';
import { describeWebhookStore } from './webhook-store-contract.ts';

describeWebhookStore('the memory store', openMemoryWebhookHarness);
