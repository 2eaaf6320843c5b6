import type { LedgerEntry } from '../../../src/client/index.ts';
import type { Page } from '../../components/pages.ts';
import { announce } from '../../components/toast.tsx';
import { downloadText } from '../../download.ts';
import { grouped } from '../../format.ts';
import { t } from '../../i18n/index.ts';
import { toCsv } from '../../table-file.ts';
import type { ExactFill, ExactOrder } from '../records.ts';

/** Rows in a file, which the browser holds in memory. Reports have no such limit. */
const MAX_ROWS = 10_000;

/** Downloads all rows of a list as CSV, with the field names of the API and all digits. */
export async function downloadCsv<Row>(
  name: string,
  fetchPage: (cursor: string | undefined) => Promise<Page<Row>>,
  toTable: (rows: readonly Row[]) => string[][],
): Promise<void> {
  const rows: Row[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null && rows.length < MAX_ROWS) {
    const page = await fetchPage(cursor);
    rows.push(...page.rows);
    cursor = page.nextCursor;
  }
  const day = new Date().toISOString().slice(0, 10);
  downloadText(`${name}-${day}.csv`, 'text/csv', toCsv(toTable(rows)));
  if (cursor === null) return;
  announce(
    t('The file has the newest {count} rows. Reports in the settings have all of them.', {
      count: grouped(`${rows.length}`),
    }),
  );
}

const ORDER_FIELDS = [
  ...['orderId', 'clientOrderId', 'timestamp', 'symbol', 'side', 'type', 'timeInForce', 'status'],
  ...['reason', 'amount', 'price', 'triggerPrice', 'filled', 'average', 'cost'],
] as const satisfies readonly (keyof ExactOrder)[];

export function toOrderTable(orders: readonly ExactOrder[]): string[][] {
  const rows = orders.map((order) => [
    ...ORDER_FIELDS.map((field) => `${order[field] ?? ''}`),
    order.fees.map(({ cost, asset }) => `${cost} ${asset}`).join('; '),
  ]);
  return [[...ORDER_FIELDS, 'fees'], ...rows];
}

const FILL_FIELDS = [
  ...['id', 'orderId', 'timestamp', 'symbol', 'side', 'price', 'amount', 'cost', 'liquidity'],
] as const satisfies readonly (keyof ExactFill)[];

export function toFillTable(fills: readonly ExactFill[]): string[][] {
  const rows = fills.map((fill) => [
    ...FILL_FIELDS.map((field) => `${fill[field]}`),
    fill.fee.cost,
    fill.fee.asset,
  ]);
  return [[...FILL_FIELDS, 'fee', 'feeAsset'], ...rows];
}

const LEDGER_FIELDS = [
  ...['id', 'timestamp', 'asset', 'type', 'amount', 'before', 'after', 'reference'],
] as const satisfies readonly (keyof LedgerEntry)[];

export function toLedgerTable(entries: readonly LedgerEntry<string>[]): string[][] {
  const rows = entries.map((entry) => LEDGER_FIELDS.map((field) => entry[field]));
  return [[...LEDGER_FIELDS], ...rows];
}
