import { signal } from '@preact/signals';
import { type FeeSchedule, FeeTable } from '../fees/fee-table.tsx';
import { grouped, share } from '../format.ts';
import { T, t } from '../i18n/index.ts';
import { profile } from '../session.ts';

/** Undefined until loaded. */
export const feeSchedule = signal<FeeSchedule | undefined>(undefined);

/** The fee schedule, with what the rates depend on. */
export function Fees() {
  const schedule = feeSchedule.value;
  if (schedule === undefined) return null;
  const { tiers, volumeAsset, discount } = schedule;
  return (
    <section class="home-fees" id="fees" aria-labelledby="fees-title">
      <div>
        <h2 id="fees-title">{t('Fees')}</h2>
        <p>
          {t(
            'Orders that wait in the book pay the maker rate, orders that match at once the taker rate. Fees are deducted from what you receive.',
          )}
        </p>
        {tiers.length === 0 ? null : (
          <p>
            {t(
              'The more you trade, the less you pay: your tier follows your volume of the last 30 days in markets quoted in {asset}.',
              { asset: volumeAsset ?? '' },
            )}
          </p>
        )}
        {discount === null ? null : (
          <p>
            <T
              text="<b>{share} less</b> if you own {amount} {asset}"
              share={share(discount.rate)}
              amount={grouped(discount.minBalance)}
              asset={discount.asset}
              b={(children) => <b>{children}</b>}
            />
          </p>
        )}
        {profile.value ? <a href="/settings#fees">{t('Your fees')}</a> : null}
      </div>
      <div class="panel">
        <FeeTable schedule={schedule} />
      </div>
    </section>
  );
}
