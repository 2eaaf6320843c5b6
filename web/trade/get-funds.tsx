import { computed, signal } from '@preact/signals';
import { Dialog } from '../components/dialog.tsx';
import { Faucet, hasFaucet } from '../components/faucet.tsx';
import { t } from '../i18n/index.ts';
import { isSandbox } from '../sandbox.ts';
import { balances, canTrade, hasBalances } from './account.ts';

/** Whether the account is known to own nothing, as a new one. */
export const hasNoFunds = computed(
  () => hasBalances.value && balances.value.every(({ total }) => Number(total) === 0),
);
const isOpen = signal(false);

/** A link to the faucet of a sandbox, else to the deposits; for users who may trade. */
export function FundsLink() {
  if (!canTrade.value) return null;
  if (!isSandbox) return <a href="/deposit">{t('Deposit')}</a>;
  if (!hasFaucet()) return null;
  return (
    <button
      type="button"
      class="link-button"
      onClick={() => {
        isOpen.value = true;
      }}
    >
      {t('Get funds')}
    </button>
  );
}

/** The faucet's buttons, opened by a `FundsLink`. */
export function FundsDialog() {
  const close = () => {
    isOpen.value = false;
  };
  return (
    <Dialog title={t('Get test funds')} open={isOpen.value} onClose={close}>
      <p class="muted">{t('Demo funds, once per hour for each asset.')}</p>
      <div class="get-funds">
        <Faucet onAdded={close} />
      </div>
    </Dialog>
  );
}

/** Shown instead of the open orders of an account that owns nothing. */
export function NoFunds() {
  return (
    <div class="no-funds">
      <h3>{isSandbox ? t('Get test funds') : t('Deposit to start trading')}</h3>
      <p>{t('Your account has no balance yet.')}</p>
      {isSandbox ? (
        <div class="get-funds">
          <Faucet />
        </div>
      ) : (
        <a class="button primary" href="/deposit">
          {t('Deposit')}
        </a>
      )}
    </div>
  );
}
