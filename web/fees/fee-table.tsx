import type { Fee, FeeDiscount, FeeTier } from '../../src/client/index.ts';
import { grouped, rate } from '../format.ts';
import { t } from '../i18n/index.ts';
import { groupMarkets, listTierRows, type RateRange } from './fee-rows.ts';

export interface FeeSchedule {
  readonly fees: readonly Fee<string>[];
  readonly tiers: readonly FeeTier<string>[];
  readonly volumeAsset: string | null;
  readonly discount: FeeDiscount<string> | null;
}

interface FeeTableProps {
  readonly schedule: FeeSchedule;
  /** The tier of the signed-in user, whose row is marked. */
  readonly ownTier?: number | undefined;
}

/** The rates of every tier, or without tiers those of the markets. */
export function FeeTable({ schedule, ownTier }: FeeTableProps) {
  return schedule.tiers.length === 0 ? (
    <MarketRates caption={t('Fee schedule')} fees={schedule.fees} />
  ) : (
    <TierRates schedule={schedule} ownTier={ownTier} />
  );
}

function TierRates({ schedule, ownTier }: FeeTableProps) {
  const asset = schedule.volumeAsset ?? '';
  return (
    <table class="fee-table">
      <caption class="visually-hidden">{t('Fee schedule')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('Tier')}</th>
          <th scope="col" class="numeric">
            {t('30-day volume ({asset})', { asset })}
          </th>
          <RateHeads />
        </tr>
      </thead>
      <tbody>
        {listTierRows(schedule.fees, schedule.tiers).map(({ tier, minVolume, maker, taker }) => (
          <tr key={tier} aria-current={tier === ownTier ? 'true' : undefined}>
            <th scope="row">
              <b>{tierName(tier)}</b>{' '}
              {tier === ownTier ? <span class="badge on">{t('Your tier')}</span> : null}
            </th>
            <td class="numeric">{grouped(minVolume)}+</td>
            <td class="numeric">{rangeText(maker)}</td>
            <td class="numeric">{rangeText(taker)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface MarketRatesProps {
  /** For screen readers; not shown. */
  readonly caption: string;
  readonly fees: readonly Fee<string>[];
}

/** The rates of markets; those with the same rates share a row. */
export function MarketRates({ caption, fees }: MarketRatesProps) {
  const groups = groupMarkets(fees);
  if (groups.length === 0) return <p class="empty">{t('No markets listed yet')}</p>;
  return (
    <table class="fee-table">
      <caption class="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{t('Market')}</th>
          <RateHeads />
        </tr>
      </thead>
      <tbody>
        {groups.map(({ symbols, makerFee, takerFee }) => (
          <tr key={symbols[0]}>
            <th scope="row">
              <b>{groups.length === 1 ? t('All markets') : symbols.join(', ')}</b>
            </th>
            <td class="numeric">{rate(makerFee)}</td>
            <td class="numeric">{rate(takerFee)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function RateHeads() {
  return (
    <>
      <th scope="col" class="numeric">
        {t('Maker')}
      </th>
      <th scope="col" class="numeric">
        {t('Taker')}
      </th>
    </>
  );
}

export function tierName(tier: number): string {
  return tier === 0 ? t('Standard') : t('Tier {tier}', { tier });
}

/** Formats the rates of several markets, such as `0.08% – 0.10%`. */
export function rangeText([lowest, highest]: RateRange): string {
  return lowest === highest ? rate(lowest) : `${rate(lowest)} – ${rate(highest)}`;
}
