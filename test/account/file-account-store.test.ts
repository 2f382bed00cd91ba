import { openFileAccounts } from '../task/accounts/account-harness.ts';
import { describeAccountStore } from '../task/accounts/account-store-contract.ts';

describeAccountStore('the file account store', () => openFileAccounts());
// Every flush closes a volume.
describeAccountStore('the file account store with many volumes', () => openFileAccounts(5, 1));
