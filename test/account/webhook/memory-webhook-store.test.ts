/** The webhooks in memory, which other tests use: the contract of every store. */
import { openMemoryWebhookHarness } from '../../task/accounts/webhook/webhook-harness.ts';
import { describeWebhookStore } from '../../task/accounts/webhook/webhook-store-contract.ts';

describeWebhookStore('the memory store', openMemoryWebhookHarness);
