import type { Balance } from '../../src/client/index.ts';
import { AssetIcon } from '../components/asset-icon.tsx';
import { balanceText, changeTone, fixed, grouped, percent, rounded } from '../format.ts';
import { t } from '../i18n/index.ts';
import { assetName } from '../trade/asset-names.ts';
import { Amount } from './amount.tsx';
import { listHeld } from './held-lines.ts';
import { hideable } from './hidden-amounts.tsx';
import { markets, shownQuote, total, valueDecimals } from './holdings.ts';
import { countPriceDecimals, findMarket } from './market-digits.ts';
import { share } from './rates.ts';
import { computeUnrealized, type Row } from './rows.ts';
import { Gain } from './summary.tsx';

/** The icon, the ticker and the name of an asset. */
export function Asset({ asset }: { asset: string }) {
  const name = assetName(asset);
  return (
    <span class="asset-name">
      <AssetIcon asset={asset} />
      <b>{asset}</b>
      {name === asset ? null : <small class="muted">{name}</small>}
    </span>
  );
}

/** The whole balance, and below it the part that open orders and withdrawals hold. */
export function AmountCell({ row: { asset, balance } }: { row: Row }) {
  return (
    <span class="stacked">
      {hideable(<Amount asset={asset} amount={balance?.total ?? '0'} />)}
      {balance === undefined ? null : <Held balance={balance} />}
    </span>
  );
}

/** The part of a balance that orders and withdrawals can use. */
export function AvailableCell({ row: { asset, balance } }: { row: Row }) {
  return <>{hideable(<Amount asset={asset} amount={balance?.available ?? '0'} />)}</>;
}

/** The held part of a balance, split by what holds it. */
export function Held({ balance }: { balance: Balance<string> }) {
  if (Number(balance.held) === 0) return null;
  return (
    <>
      {listHeld(balance).map(({ text, amount }) => (
        <small key={text} class="muted" title={hideable(grouped(amount))}>
          {t(text, { amount: hideable(balanceText(amount)) })}
        </small>
      ))}
    </>
  );
}

/** A price with the decimals of its market; `title` has all of them. */
export function Price({ asset, price }: { asset: string; price: string | null | undefined }) {
  if (price === null || price === undefined) return <>–</>;
  const decimals = countPriceDecimals(price, asset, shownQuote.value, markets.value);
  return <span title={grouped(price)}>{rounded(price, decimals)}</span>;
}

export function AverageCost({ row: { asset, gains: found } }: { row: Row }) {
  if (asset === shownQuote.value) return <>–</>;
  return (
    <>
      <Price asset={asset} price={found?.averageCost} />
      {found?.hasUnknownCost ? (
        <abbr title={t('Some of this had no price when it arrived and counts as free.')}> *</abbr>
      ) : null}
    </>
  );
}

export function Value({ row: { value, balance } }: { row: Row }) {
  if (balance === undefined) return <>–</>;
  return <>{value === undefined ? t('No price') : hideable(rounded(value, valueDecimals.value))}</>;
}

/** The value, and its share of the portfolio. */
export function ValueCell({ row }: { row: Row }) {
  return (
    <span class="stacked">
      <span>
        <Value row={row} />
      </span>
      {row.value === undefined ? null : (
        <small class="muted">{fixed(share(row.value, total.value), 2)}%</small>
      )}
    </span>
  );
}

export function Unrealized({ row }: { row: Row }) {
  const found = computeUnrealized(row);
  if (found === undefined) return <>–</>;
  return (
    <span class="stacked">
      <Gain value={found.gain} />
      {found.percentage === undefined ? null : (
        <small class={changeTone(found.percentage) || 'muted'}>{percent(found.percentage)}</small>
      )}
    </span>
  );
}

export function Realized({ row: { gains: found } }: { row: Row }) {
  return found === undefined ? <>–</> : <Gain value={found.realized} />;
}

/** A link to the market of an asset. */
function TradeLink({ asset }: { asset: string }) {
  const market = findMarket(asset, shownQuote.value, markets.value);
  if (market === undefined) return null;
  return (
    <a class="button small" href={`/trade/${market.symbol.replace('/', '-')}`}>
      {t('Trade')}
      <span class="visually-hidden"> {market.symbol}</span>
    </a>
  );
}

/** Links to deposit, withdraw and trade an asset. */
export function AssetLinks({ asset }: { asset: string }) {
  return (
    <span class="asset-links">
      <a class="button small fund" href={`/deposit?asset=${asset}`}>
        {t('Deposit')}
        <span class="visually-hidden"> {asset}</span>
      </a>
      <a class="button small fund" href={`/withdraw?asset=${asset}`}>
        {t('Withdraw')}
        <span class="visually-hidden"> {asset}</span>
      </a>
      <TradeLink asset={asset} />
    </span>
  );
}
