import type { Balance } from '../../src/client/index.ts';
import { Facts } from '../components/panel.tsx';
import { msg, T } from '../i18n/index.ts';
import { Amount } from './amount.tsx';
import {
  Asset,
  AssetLinks,
  AvailableCell,
  AverageCost,
  Held,
  Price,
  Realized,
  Unrealized,
  Value,
} from './balance-cells.tsx';
import { hideable } from './hidden-amounts.tsx';
import type { Row } from './rows.ts';

/** Balances on a phone: a card per asset with its value and gain, which a tap opens. */
export function BalanceCards({ rows }: { rows: readonly Row[] }) {
  return (
    <ul class="balance-cards">
      {rows.map((row) => (
        <li key={row.asset}>
          <details>
            <summary>
              <span class="card-asset">
                <Asset asset={row.asset} />
                <small class="muted">
                  <T
                    text="Available: {amount} {asset}"
                    amount={<AvailableCell row={row} />}
                    asset={row.asset}
                  />
                </small>
              </span>
              <span class="stacked card-value">
                <b>
                  <Value row={row} />
                </b>
                <small>
                  <Unrealized row={row} />
                </small>
              </span>
            </summary>
            <Facts facts={facts(row)} />
            <AssetLinks asset={row.asset} />
          </details>
        </li>
      ))}
    </ul>
  );
}

function HeldLines({ balance }: { balance: Balance<string> }) {
  return (
    <span class="stacked">
      <Held balance={balance} />
    </span>
  );
}

function facts(row: Row) {
  const { asset, balance, gains } = row;
  return [
    [msg('Amount'), hideable(<Amount key="total" asset={asset} amount={balance?.total ?? '0'} />)],
    ...(balance === undefined || balance.held === '0'
      ? []
      : ([[msg('On hold'), <HeldLines key="held" balance={balance} />]] as const)),
    [msg('Price'), <Price key="price" asset={asset} price={gains?.price} />],
    [msg('Average cost'), <AverageCost key="cost" row={row} />],
    [msg('Realized P&L'), <Realized key="realized" row={row} />],
  ] as const;
}
