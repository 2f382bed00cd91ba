import { openFileAccounts } from './account-harness.ts';
import { describeAccountStore } from './account-store-contract.ts';

describeAccountStore('the file account store', openFileAccounts);
