import { openMemoryAccounts } from '../task/accounts/account-harness.ts';
import { describeAccountStore } from '../task/accounts/account-store-contract.ts';

describeAccountStore('the memory account store', openMemoryAccounts);
