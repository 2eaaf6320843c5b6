import type { GroupAccount } from '../../src/client/index.ts';
import { t } from '../i18n/index.ts';
import {
  accountTone,
  isSubAccount,
  openAccounts,
  selectAccount,
  selectedAccount,
} from '../selected-account.ts';
import { Select } from './field.tsx';

/**
 * Shows and switches the account of the page, for users with sub-accounts.
 * @param at The current page, which needs no link to itself.
 */
export function AccountBar({ at }: { at: string }) {
  const account = selectedAccount.value;
  if (account === undefined || (openAccounts.value.length < 2 && account.isMain)) return null;
  // Another tab may have closed the account of this one.
  const offered = account.closed ? [...openAccounts.value, account] : openAccounts.value;
  return (
    <section class={`account-bar ${isSubAccount.value ? 'sub' : ''}`} aria-label={t('Account')}>
      <span class={`swatch ${accountTone(account.accountId)}`} aria-hidden="true" />
      <Select
        label={t('Account')}
        hiddenLabel
        value={account.accountId}
        options={offered.map((each) => [each.accountId, optionText(each)])}
        onChange={selectAccount}
      />
      <span class="muted wide-text">{isSubAccount.value ? t('Sub-account') : ''}</span>
      {at === '/accounts' ? null : (
        <a class="account-link" href="/accounts">
          {t('Accounts')}
        </a>
      )}
    </section>
  );
}

function optionText({ name, frozen, closed }: GroupAccount<string>): string {
  const shown = name ?? t('Main account');
  if (frozen) return t('{name} (frozen)', { name: shown });
  return closed ? t('{name} (closed)', { name: shown }) : shown;
}
