import { computed, type ReadonlySignal, signal, useSignal, useSignalEffect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { api } from '../api.ts';
import { Facts } from '../components/panel.tsx';
import { compact, countBalanceDecimals, grouped, rate } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { Amount } from '../portfolio/amount.tsx';
import { preference } from '../preferences.ts';
import { profile } from '../session.ts';
import { balances, fees, hasBalances, isSignedIn } from './account.ts';
import { ConfirmationSettings } from './confirm-order.tsx';
import { hasPrice } from './draft.ts';
import { HeldAmount } from './held-amount.tsx';
import { market } from './markets.ts';
import { draft } from './order-draft.ts';

/** Windows in which the form has space for the details below it. Visitors have fewer of them, and no balances. */
const isTall = matchSignal('(min-width: 981px) and (min-height: 1060px)');
const isTallForVisitors = matchSignal('(min-width: 981px) and (min-height: 768px)');
const chosen = preference('form-rules', ['auto', 'open', 'closed'] as const, 'auto');
/** Whether the details are unfolded: as the user chose, else where they have space. */
const areRulesOpen = computed(() =>
  chosen.value === 'auto' ? hasSpace() : chosen.value === 'open',
);

function hasSpace(): boolean {
  return profile.value === null ? isTallForVisitors.value : isTall.value;
}

/** Returns a signal that follows a media query. */
function matchSignal(query: string): ReadonlySignal<boolean> {
  const list = matchMedia(query);
  const matches = signal(list.matches);
  list.addEventListener('change', () => {
    matches.value = list.matches;
  });
  return matches;
}

/** Fees, trading rules and settings of the order form, folded until the user opens them. */
export function FormDetails() {
  const shown = market.value;
  if (shown === undefined) return null;
  const { base, quote, tickSize, stepSize, minAmount, minNotional, symbol } = shown;
  const { makerFee, takerFee } = fees.value.get(symbol) ?? shown;
  return (
    <details
      class="form-details"
      open={areRulesOpen.value}
      onToggle={(event) => {
        const { open } = event.currentTarget;
        if (open !== areRulesOpen.peek()) chosen.value = open ? 'open' : 'closed';
      }}
    >
      <summary>
        {isSignedIn.value ? t('Fees, rules and order confirmation') : t('Fees and trading rules')}
      </summary>
      <Facts
        facts={[
          // The rows above the button have the rates of orders with a limit price.
          ...(hasPrice(draft.value)
            ? []
            : [[msg('Fee (maker / taker)'), `${rate(makerFee)} / ${rate(takerFee)}`] as const]),
          [msg('Tick size'), `${tickSize} ${quote}`],
          [msg('Lot size'), `${stepSize} ${base}`],
          [msg('Minimum order'), `${minAmount} ${base}`],
          [msg('Minimum value'), `${minNotional} ${quote}`],
        ]}
      />
      {isSignedIn.value ? (
        <>
          <FeeTier />
          <ConfirmationSettings />
        </>
      ) : (
        <a href="/#fees">{t('All fees and tiers')}</a>
      )}
    </details>
  );
}

/** The balances of the two assets of the market, where the window has space for them. */
export function FormAssets() {
  if (!isSignedIn.value || !hasBalances.value || market.value === undefined) return null;
  const { base, quote } = market.value;
  const find = (asset: string) => balances.value.find((each) => each.asset === asset);
  return (
    <table class="form-assets">
      <caption class="visually-hidden">{t('Balances')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('Asset')}</th>
          <th scope="col">{t('Available')}</th>
          <th scope="col">{t('On hold')}</th>
        </tr>
      </thead>
      <tbody>
        {[base, quote].map((asset) => {
          const { available = '0', held = '0' } = find(asset) ?? {};
          const decimals = Math.max(countBalanceDecimals(available), countBalanceDecimals(held));
          return (
            <tr key={asset}>
              <th scope="row">{asset}</th>
              <td>
                <Amount asset={asset} amount={available} minDecimals={decimals} />
              </td>
              <td>
                <HeldAmount asset={asset} held={held} minDecimals={decimals} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function describeTier(tier: number, count: number): string {
  if (count === 0) return t('Standard rates');
  return t('Tier {tier} of {count}', { tier, count });
}

function Volume({ volume, asset }: { volume: string; asset: string }) {
  const shown = Number(volume) === 0 ? '0' : compact(volume);
  return <span title={grouped(volume)}>{`${shown} ${asset}`}</span>;
}

/** The fee tier of the account with the volume that it is based on. */
function FeeTier() {
  const facts = useSignal<readonly (readonly [string, ComponentChildren])[]>([]);
  useSignalEffect(() => {
    // Loaded again with each fill, as the fee rates are.
    void fees.value;
    if (!areRulesOpen.value) return;
    api
      .getFees()
      .then(({ tier, tiers, volume, volumeAsset }) => {
        facts.value = [
          [msg('Fee tier'), describeTier(tier, tiers.length)],
          // Without tiers the exchange does not count the volume.
          ...(volume === null || volumeAsset === null
            ? []
            : [[msg('30-day volume'), <Volume volume={volume} asset={volumeAsset} />] as const]),
        ];
      })
      // The rates above do not depend on it.
      .catch(() => {});
  });
  return (
    <>
      <Facts facts={facts.value} />
      <a href="/settings#fees">{t('All fees and tiers')}</a>
    </>
  );
}
