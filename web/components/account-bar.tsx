import { t } from '../i18n/index.ts';
import {
  accountTone,
  group,
  isSubAccount,
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
  if (account === undefined || group.value.length < 2) return null;
  return (
    <section class={`account-bar ${isSubAccount.value ? 'sub' : ''}`} aria-label={t('Account')}>
      <span class={`swatch ${accountTone(account.accountId)}`} aria-hidden="true" />
      <Select
        label={t('Account')}
        hiddenLabel
        value={account.accountId}
        options={group.value.map(({ accountId, name, frozen }) => [
          accountId,
          frozen
            ? t('{name} (frozen)', { name: name ?? t('Main account') })
            : (name ?? t('Main account')),
        ])}
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
