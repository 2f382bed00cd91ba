/** The webhooks in files: the contract of every store. */
import { openFileWebhookHarness } from './webhook-harness.ts';
import { describeWebhookStore } from './webhook-store-contract.ts';

describeWebhookStore('the file store', openFileWebhookHarness);
