import { openMemoryAccounts } from './account-harness.ts';
import { describeAccountStore } from './account-store-contract.ts';

describeAccountStore('the memory account store', openMemoryAccounts);
