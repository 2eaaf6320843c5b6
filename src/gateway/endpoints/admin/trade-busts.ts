import { z } from 'zod';
import { type BustTrade, CommandKind, type TradeTerms } from '../../../engine/command.ts';
import { MAX_REASON_LENGTH } from '../../../engine/limits.ts';
import type { Market } from '../../../engine/markets/markets.ts';
import { formatUnits } from '../../../engine/numbers/units.ts';
import { RejectionCode, rejected } from '../../../engine/rejection.ts';
import type { State } from '../../../engine/state.ts';
import { sides } from '../../../engine/terms.ts';
import type { Fill } from '../../../history/history.ts';
import type { Call } from '../../http/request/call.ts';
import { ApiError } from '../../http/response/errors.ts';
import { checkBody, filledLine } from '../../openapi/body-schema.ts';
import { describe } from '../../openapi/description.ts';
import { fromZod, record } from '../../openapi/json-schema.ts';
import { recordList, recordRef } from '../../openapi/record-schemas.ts';
import { rejectionError } from '../../orders/rejections.ts';
import { timeText } from '../records.ts';
import { executeAsOperator } from './execute.ts';
import { expectOutcome } from './outcome.ts';

/** Maximum busted trades in a list; the audit trail has all. */
const MAX_LISTED = 200;

/** GET /api/admin/trade-busts: `{busts}`, the last busted trades, the last one first. */
export async function listTradeBusts(call: Call): Promise<string> {
  call.query([]);
  const { state } = call.exchange;
  const busts = [...state.parts.tradeBusts.all].slice(-MAX_LISTED).reverse();
  const texts = busts.map((bust) => bustedTradeText(bust, bust.bustedAt, state));
  return `{"busts":[${texts.join(',')}]}`;
}
listTradeBusts.description = describe({
  operationId: 'listTradeBusts',
  tag: 'Operator',
  summary: 'Busted trades',
  notes: `The last ${MAX_LISTED}, the last one first. The audit trail has all, with their reasons.`,
  data: record({ busts: recordList('BustedTrade') }),
});

const bust = z.strictObject({
  symbol: z.string(),
  tradeId: z
    .string()
    .regex(/^[1-9]\d{0,15}$/, 'must be the id of a trade')
    .meta({ description: 'Id of the trade, as in GET /api/trades.' }),
  reason: filledLine(MAX_REASON_LENGTH).meta({
    description: 'For the second operator and the audit trail.',
  }),
});

/** POST /api/admin/trade-busts: requests the bust of a trade, which a second operator approves. */
export async function bustTrade(call: Call): Promise<string> {
  const { symbol, tradeId, reason } = checkBody(bust, call.body());
  const { state } = call.exchange;
  const market = state.marketsBySymbol.get(symbol);
  if (market === undefined) {
    throw new ApiError('INVALID_SYMBOL', undefined, { field: 'symbol', rule: 'known' });
  }
  const id = Number(tradeId);
  if (state.parts.tradeBusts.find(id) !== undefined) {
    throw rejectionError(rejected(RejectionCode.alreadyBusted), state);
  }
  const trade = await findTrade(call, market, id);
  if (trade === undefined) throw rejectionError(rejected(RejectionCode.unknownTrade), state);
  const command: BustTrade = { kind: CommandKind.bustTrade, ...call.actor, trade, reason };
  const outcome = await executeAsOperator(call, command, reason);
  expectOutcome(outcome, 'done', state);
  return `{"bust":${bustedTradeText(trade, state.time, state)}}`;
}
bustTrade.description = describe({
  operationId: 'bustTrade',
  tag: 'Operator',
  summary: 'Bust a trade',
  notes:
    'Always needs the approval of an operator of another account. Both sides then get back what they gave and the fees, and ' +
    'return what they received. If a side no longer has it available, the approval is rejected with `INSUFFICIENT_BALANCE`, ' +
    'nothing is moved and the request stays pending.',
  body: {
    schema: fromZod(bust),
    examples: { bust: { symbol: 'BTC/USDT', tradeId: '7', reason: 'Erroneous order' } },
  },
  data: record({ bust: recordRef('BustedTrade') }),
  errors: ['INVALID_SYMBOL', 'NOT_FOUND', 'INSUFFICIENT_BALANCE', 'OVERLOADED'],
  mayNeedApproval: true,
});

/** Returns the terms of a trade of a market as history has them; undefined if there is no such trade. */
async function findTrade(
  { services }: Call,
  market: Market,
  tradeId: number,
): Promise<TradeTerms | undefined> {
  const { replica, archivist } = services;
  const accounts = replica.exchange.state.accounts.length;
  const query = { kind: 'tradeSides', market: market.index, tradeId, accounts } as const;
  const sidesOfTrade = (await archivist.query(query, replica.position)) as Fill[];
  const maker = sidesOfTrade.find(({ isMaker }) => isMaker);
  const taker = sidesOfTrade.find(({ isMaker }) => !isMaker);
  if (maker === undefined || taker === undefined) return undefined;
  const { price, amount, side: takerSide, time } = taker;
  return {
    ...{ id: tradeId, market: market.index, price, amount, takerSide, time },
    makerOrderId: maker.orderId,
    makerAccount: maker.account,
    makerFeePaid: maker.fee,
    takerOrderId: taker.orderId,
    takerAccount: taker.account,
    takerFeePaid: taker.fee,
  };
}

function bustedTradeText(trade: TradeTerms, bustedAt: number, state: State): string {
  const { symbol, rules } = state.markets[trade.market]!;
  return (
    `{"id":"${trade.id}","symbol":"${symbol}","side":"${sides[trade.takerSide]}",` +
    `"price":${formatUnits(trade.price, rules.priceDecimals)},` +
    `"amount":${formatUnits(trade.amount, rules.amountDecimals)},` +
    `"maker":"${state.accounts[trade.makerAccount]!.id}","taker":"${state.accounts[trade.takerAccount]!.id}",` +
    `"timestamp":${timeText(trade.time)},"bustedAt":${timeText(bustedAt)}}`
  );
}
