import {
  accountTone,
  group,
  isSubAccount,
  selectAccount,
  selectedAccount,
} from '../selected-account.ts';
import { Select } from './field.tsx';

/** Shows and switches the account of the page, for users with sub-accounts. */
export function AccountBar() {
  const account = selectedAccount.value;
  if (account === undefined || group.value.length < 2) return null;
  return (
    <section class={`account-bar ${isSubAccount.value ? 'sub' : ''}`} aria-label="Account">
      <span class={`swatch ${accountTone(account.accountId)}`} aria-hidden="true" />
      <Select
        label="Account"
        hiddenLabel
        value={account.accountId}
        options={group.value.map(({ accountId, name, frozen }) => [
          accountId,
          `${name ?? 'Main account'}${frozen ? ' (frozen)' : ''}`,
        ])}
        onChange={selectAccount}
      />
      <span class="muted wide-text">{isSubAccount.value ? 'Sub-account' : ''}</span>
      <a class="account-link" href="/accounts">
        Accounts
      </a>
    </section>
  );
}
