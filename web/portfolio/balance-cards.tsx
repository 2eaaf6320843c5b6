import { Facts } from '../components/panel.tsx';
import { msg } from '../i18n/index.ts';
import {
  Amount,
  Asset,
  AssetLinks,
  AverageCost,
  Price,
  Realized,
  Unrealized,
  Value,
} from './balance-cells.tsx';
import type { Row } from './rows.ts';

/** Balances on a phone: a card per asset with its value and gain, which a tap opens. */
export function BalanceCards({ rows }: { rows: readonly Row[] }) {
  return (
    <ul class="balance-cards">
      {rows.map((row) => (
        <li key={row.asset}>
          <details>
            <summary>
              <Asset asset={row.asset} />
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

function facts(row: Row) {
  const { asset, balance, gains } = row;
  return [
    [msg('Amount'), <Amount key="total" asset={asset} amount={balance?.total ?? '0'} />],
    [msg('Available'), <Amount key="free" asset={asset} amount={balance?.available ?? '0'} />],
    [msg('In orders'), <Amount key="held" asset={asset} amount={balance?.held ?? '0'} />],
    [msg('Price'), <Price key="price" asset={asset} price={gains?.price} />],
    [msg('Average cost'), <AverageCost key="cost" row={row} />],
    [msg('Realized P&L'), <Realized key="realized" row={row} />],
  ] as const;
}
