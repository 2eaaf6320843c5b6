import type { LedgerEntry } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { Loaded } from '../components/loaded.tsx';
import { Facts, Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { type Column, Table } from '../components/table.tsx';
import { decimal, ZERO } from '../decimal.ts';
import { groupMarkets, nextTier } from '../fees/fee-rows.ts';
import { FeeTable, MarketRates, tierName } from '../fees/fee-table.tsx';
import { dateTime, fixed, grouped, rate, share, usefulDecimals } from '../format.ts';
import { msg, t } from '../i18n/index.ts';

const PAGE_SIZE = 100;
const ROUND_UP = 3;
const SCHEDULE_LEAD = msg('You pay the lower of your tier’s rate and the market’s own rate.');
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

/** The fee rates that the account pays, the fee schedule, and what the account earned by referring others. */
export function FeesSection() {
  const fees = useResource(async () => {
    const [own, schedule] = await Promise.all([api.getFees(), api.getFeeSchedule()]);
    const listed = new Set(schedule.fees.map(({ symbol }) => symbol));
    return { own, schedule, rates: own.fees.filter(({ symbol }) => listed.has(symbol)) };
  });
  return (
    <>
      <Panel title={t('Your fees')} lead={ownLead(fees.data.value?.rates ?? [])}>
        <Loaded resource={fees}>
          {({ own, rates }) => (
            <div class="stack short-facts">
              {groupMarkets(rates).length === 1 ? (
                <SharedRates rates={rates} />
              ) : (
                <MarketRates caption={t('Your fees by market')} fees={rates} />
              )}
              <Facts facts={ownFacts(own)} />
            </div>
          )}
        </Loaded>
      </Panel>
      {fees.data.value === undefined || paysSchedule(fees.data.value) ? null : (
        <Panel
          title={t('Fee schedule')}
          lead={
            groupMarkets(fees.data.value.schedule.fees).length > 1 ? t(SCHEDULE_LEAD) : undefined
          }
          flush
        >
          <FeeTable schedule={fees.data.value.schedule} ownTier={fees.data.value.own.tier} />
        </Panel>
      )}
      <Referrals />
    </>
  );
}

function ownLead(rates: OwnFees['fees']): string {
  const text = t('After your tier and discount.');
  const hasRebate = rates.some(({ makerFee }) => Number(makerFee) < 0);
  return hasRebate ? `${text} ${t('A negative maker rate is a rebate.')}` : text;
}

/** The earnings of the account from referring others; hidden if it refers no one and would earn nothing. */
function Referrals() {
  const referrals = useResource(() => api.getReferrals({ limit: PAGE_SIZE }));
  const found = referrals.data.value;
  const isLoading = found === undefined && referrals.failure.value === undefined;
  if (isLoading || (found !== undefined && isUnused(found))) return null;
  return (
    <Panel
      title={t('Referrals')}
      lead={t(
        'You receive a share of the fees of accounts that you referred, in the asset of each fee.',
      )}
    >
      <Loaded resource={referrals}>
        {({ share: referralShare, accounts, entries }) => (
          <div class="stack short-facts">
            <Facts
              facts={[
                [msg('Your share'), share(referralShare)],
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
  );
}

function isUnused({ share: own, accounts, entries }: OwnReferrals): boolean {
  return Number(own) === 0 && accounts === 0 && entries.length === 0;
}

type OwnFees = Awaited<ReturnType<typeof api.getFees>>;
type OwnReferrals = Awaited<ReturnType<typeof api.getReferrals>>;
type Schedule = Awaited<ReturnType<typeof api.getFeeSchedule>>;

/** Returns whether the schedule would only repeat the account's own rates: without tiers, at the rates of the markets. */
function paysSchedule({
  rates,
  schedule,
}: {
  readonly rates: OwnFees['fees'];
  readonly schedule: Schedule;
}): boolean {
  return schedule.tiers.length === 0 && JSON.stringify(rates) === JSON.stringify(schedule.fees);
}

function ownFacts(own: OwnFees): readonly (readonly [string, string])[] {
  const { tier, isTierFixed, volume, volumeAsset, discount, hasDiscount } = own;
  const name = tierName(tier);
  const next = nextTier(own);
  return [
    [msg('Fee tier'), isTierFixed ? t('{tier}, set for your account', { tier: name }) : name],
    ...(volume === null
      ? []
      : [
          [
            msg('30-day volume'),
            `${fixed(volume, usefulDecimals(volume))} ${volumeAsset}`,
          ] as const,
        ]),
    ...(next === undefined
      ? []
      : [
          [
            t('To tier {tier}', { tier: next.tier }),
            t('{amount} {asset} more volume', {
              amount: roundedUp(next.missing),
              asset: volumeAsset ?? '',
            }),
          ] as const,
        ]),
    [msg('Discount'), discount === null ? t('No discount') : discountText(discount, hasDiscount)],
  ];
}

/** The rates that all markets have, in large figures: a table of one row would repeat the schedule. */
function SharedRates({ rates }: { rates: OwnFees['fees'] }) {
  const { makerFee, takerFee } = rates[0]!;
  return (
    <dl class="own-rates">
      <div>
        <dt>{t('Maker fee')}</dt>
        <dd>{rate(makerFee)}</dd>
      </div>
      <div>
        <dt>{t('Taker fee')}</dt>
        <dd>{rate(takerFee)}</dd>
      </div>
    </dl>
  );
}

/** Formats an amount that must be reached. */
function roundedUp(amount: string): string {
  const decimals = usefulDecimals(amount);
  return fixed((decimal(amount) ?? ZERO).round(decimals, ROUND_UP), decimals);
}

function discountText(
  discount: { readonly asset: string; readonly minBalance: string; readonly rate: string },
  isActive: boolean,
): string {
  const owned = `${grouped(discount.minBalance)} ${discount.asset}`;
  const texts = { share: share(discount.rate), owned };
  return isActive
    ? t('{share}, for owning {owned}', texts)
    : t('{share} if you own {owned}', texts);
}
