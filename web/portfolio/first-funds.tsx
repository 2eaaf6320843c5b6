import { Faucet, hasFaucet } from '../components/faucet.tsx';
import { announceError } from '../components/toast.tsx';
import { t } from '../i18n/index.ts';
import { loadHoldings } from './holdings.ts';

/** The first steps of an account without funds or history. */
export function FirstFunds() {
  return (
    <section class="panel first-funds" aria-labelledby="first-funds-title">
      <h2 id="first-funds-title">{t('Fund your account')}</h2>
      <p class="muted">
        {hasFaucet()
          ? t('Get free test funds from the faucet, then place your first order.')
          : t('Make a deposit to start trading.')}{' '}
        {t('Your balances, their value and your P&L appear here.')}
      </p>
      <Faucet onAdded={() => loadHoldings().catch(announceError)} />
      <div class="buttons">
        <a class={`button ${hasFaucet() ? '' : 'primary'}`} href="/deposit">
          {t('Deposit')}
        </a>
        <a class="button" href="/trade">
          {t('See the markets')}
        </a>
      </div>
    </section>
  );
}
