import type { Fee, LedgerEntry } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { Loaded } from '../components/loaded.tsx';
import { Facts, Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { type Column, Table } from '../components/table.tsx';
import { dateTime, grouped, rate } from '../format.ts';
import { msg, t } from '../i18n/index.ts';

const PAGE_SIZE = 100;
const RATES: readonly Column<Fee<string>>[] = [
  { key: 'symbol', title: msg('Market'), cell: ({ symbol }) => <b>{symbol}</b> },
  { key: 'maker', title: msg('Maker'), numeric: true, cell: ({ makerFee }) => rate(makerFee) },
  { key: 'taker', title: msg('Taker'), numeric: true, cell: ({ takerFee }) => rate(takerFee) },
];
const EARNINGS: readonly Column<LedgerEntry<string>>[] = [
  { key: 'time', title: msg('Time'), cell: ({ timestamp }) => dateTime(timestamp) },
  {
    key: 'amount',
    title: msg('Amount'),
    numeric: true,
    cell: ({ amount, asset }) => `${grouped(amount)} ${asset}`,
  },
  {
    key: 'trade',
    title: msg('Trade||execution'),
    numeric: true,
    cell: ({ reference }) => reference,
  },
];

/** The fee rates that the account pays, its discount, and what it earned by referring others. */
export function FeesSection() {
  const fees = useResource(() => api.getFees());
  const referrals = useResource(() => api.getReferrals({ limit: PAGE_SIZE }));
  return (
    <>
      <Panel
        title={t('Your fees')}
        lead={t('After your tier and discount. A negative maker rate is a rebate.')}
      >
        <Loaded resource={fees}>
          {({ fees: rates, tier, volume, volumeAsset, discount, hasDiscount }) => (
            <div class="stack">
              <Facts
                facts={[
                  [msg('Fee tier'), tier === 0 ? t('Standard') : t('Tier {tier}', { tier })],
                  ...(volume === null
                    ? []
                    : [[msg('30-day volume'), `${grouped(volume)} ${volumeAsset}`] as const]),
                  [
                    msg('Discount'),
                    discount === null ? t('No discount') : discountText(discount, hasDiscount),
                  ],
                ]}
              />
              <Table
                caption={t('Your fees by market')}
                columns={RATES}
                rows={rates}
                rowKey={({ symbol }) => symbol}
                empty={t('No markets listed yet')}
              />
            </div>
          )}
        </Loaded>
      </Panel>
      <Panel
        title={t('Referrals')}
        lead={t(
          'You receive a share of the fees of accounts that you referred, in the asset of each fee.',
        )}
      >
        <Loaded resource={referrals}>
          {({ share, accounts, entries }) => (
            <div class="stack">
              <Facts
                facts={[
                  [msg('Your share'), rate(share)],
                  [msg('Referred accounts'), grouped(`${accounts}`)],
                ]}
              />
              <Table
                caption={t('Referral earnings')}
                columns={EARNINGS}
                rows={entries}
                rowKey={({ id }) => id}
                empty={t('No referral earnings yet')}
              />
            </div>
          )}
        </Loaded>
      </Panel>
    </>
  );
}

function discountText(
  discount: { readonly asset: string; readonly minBalance: string; readonly rate: string },
  isActive: boolean,
): string {
  const owned = `${grouped(discount.minBalance)} ${discount.asset}`;
  const share = rate(discount.rate);
  return isActive
    ? t('{share}, for owning {owned}', { share, owned })
    : t('{share} if you own {owned}', { share, owned });
}
