import { z } from 'zod';
import {
  type ChangeableRules,
  type ChangeMarketRules,
  CommandKind,
  type DelistMarket,
  type SetMarketStatus,
} from '../../../engine/command.ts';
import type { OrderRecord } from '../../../engine/event.ts';
import { changeableRules } from '../../../engine/markets/market-rules.ts';
import { brokenListingRule, type Market } from '../../../engine/markets/markets.ts';
import { validateAmount, validatePrice } from '../../../engine/orders/validate.ts';
import { RejectionCode, rejected } from '../../../engine/rejection.ts';
import { MarketStatus, marketStatuses, OrderStatus } from '../../../engine/terms.ts';
import type { Call } from '../../http/request/call.ts';
import { BOOLEAN_VALUES, invalid } from '../../http/request/query.ts';
import { ApiError } from '../../http/response/errors.ts';
import { checkBody } from '../../openapi/body-schema.ts';
import { any, either, given, present, toKeywords } from '../../openapi/conditions.ts';
import { describe } from '../../openapi/description.ts';
import { fromZod, integer } from '../../openapi/json-schema.ts';
import { changedRuleFields, RULE_FIELDS, ruleDecimals } from '../../openapi/market-rules.ts';
import { recordList, recordRef } from '../../openapi/record-schemas.ts';
import { rejectionError } from '../../orders/rejections.ts';
import { approvalReason } from '../user/body-fields.ts';
import { executeAsOperator } from './execute.ts';
import { readRules } from './market-rules.ts';
import { formatMarket } from './markets.ts';
import { ordersText } from './orders.ts';
import { expectOutcome } from './outcome.ts';

/** Maximum orders in a response. `affected` counts all of them. */
const MAX_SHOWN = 1000;
const PARAMETERS = ['preview'] as const;

const change = z.strictObject({
  symbol: z.string(),
  status: z.enum(marketStatuses).nullish(),
  reason: approvalReason,
  ...changedRuleFields,
});

/**
 * PATCH /api/admin/markets: changes a market's status or its rules. With `preview=true` it changes nothing and
 * returns the open orders that the change would affect.
 */
export async function changeMarket(call: Call): Promise<string> {
  const body = checkBody(change, call.body(PARAMETERS));
  const isPreview = call.query(PARAMETERS).choice('preview', BOOLEAN_VALUES) === 'true';
  const market = call.exchange.state.marketsBySymbol.get(body.symbol);
  if (market === undefined) {
    throw new ApiError('INVALID_SYMBOL', undefined, { field: 'symbol', rule: 'known' });
  }
  // A market keeps the decimals with which it was listed.
  const changes = readRules(body, ruleDecimals(market.rules, market.quote));
  const hasRules = Object.keys(changes).length > 0;
  if (hasRules === (body.status != null)) {
    const message = 'Send either status or the rules to change.';
    throw invalid('status', 'statusOrRules', message);
  }
  if (body.status != null) {
    const status = marketStatuses.indexOf(body.status);
    return isPreview
      ? previewStatus(call, market, status)
      : changeStatus(call, market, status, body.reason);
  }
  return isPreview
    ? previewRules(call, market, changes)
    : changeRules(call, market, changes, body.reason);
}

type Reason = string | null | undefined;

/** The changes that `changeMarket` accepts, for the document: a rule may be null only if that has a meaning. */
const STATUS_OR_RULES = either(
  present('status'),
  any(
    ...changeableRules.map((rule) => {
      const { field } = RULE_FIELDS[rule];
      return 'isNullable' in RULE_FIELDS[rule] ? given(field) : present(field);
    }),
  ),
);

changeMarket.description = describe({
  operationId: 'changeMarket',
  tag: 'Operator',
  summary: "Change a market's status or its rules",
  notes:
    'Send either `status` or rules. Resting orders keep their price and amount, even if they break a new rule. ' +
    '`delisted` is permanent: it closes the market at once and then cancels all its orders in several steps. The ' +
    'preview of a status shows all open orders, the preview of rules those that break them. The response has at ' +
    `most ${MAX_SHOWN} orders; that of delisting has those canceled at once.`,
  query: PARAMETERS,
  body: {
    schema: fromZod(change.meta(toKeywords(STATUS_OR_RULES))),
    examples: {
      resume: { symbol: 'BTC/USDT', status: 'online' },
      fees: { symbol: 'BTC/USDT', makerFee: 0.0008, takerFee: 0.001 },
    },
  },
  data: {
    type: 'object',
    required: ['market'],
    properties: {
      market: recordRef('Market'),
      affected: integer('Number of open orders affected. Only for previews and for delisting.', 1),
      orders: recordList('OperatorOrder'),
    },
  },
  errors: ['INVALID_SYMBOL'],
  mayNeedApproval: true,
});

async function changeStatus(
  call: Call,
  market: Market,
  status: number,
  reason: Reason,
): Promise<string> {
  if (status === MarketStatus.delisted) return delist(call, market, reason);
  const command: SetMarketStatus = {
    kind: CommandKind.setMarketStatus,
    ...call.actor,
    market: market.index,
    status,
  };
  const outcome = await executeAsOperator(call, command, reason);
  expectOutcome(outcome, 'market', call.exchange.state);
  return `{"market":${formatMarket(call, market.index)}}`;
}

async function delist(call: Call, market: Market, reason: Reason): Promise<string> {
  const { state } = call.exchange;
  const command: DelistMarket = {
    kind: CommandKind.delistMarket,
    ...call.actor,
    market: market.index,
  };
  const outcome = await executeAsOperator(call, command, reason);
  const { orders, left = 0 } = expectOutcome(outcome, 'orders', state);
  return affectedText(call, market, orders.length + left, orders.slice(0, MAX_SHOWN));
}

async function changeRules(
  call: Call,
  market: Market,
  changes: Partial<ChangeableRules>,
  reason: Reason,
): Promise<string> {
  const command: ChangeMarketRules = {
    kind: CommandKind.changeMarketRules,
    ...call.actor,
    market: market.index,
    rules: changes,
  };
  const outcome = await executeAsOperator(call, command, reason);
  expectOutcome(outcome, 'market', call.exchange.state);
  return `{"market":${formatMarket(call, market.index)}}`;
}

/** Previews a status, which affects every open order. */
function previewStatus(call: Call, market: Market, status: number): string {
  if (market.status === MarketStatus.delisted && status !== MarketStatus.delisted) {
    throw invalidRules(call, 'a delisted market stays so');
  }
  const { state } = call.exchange;
  const shown: OrderRecord[] = [];
  for (const slot of state.marketSlots(market)) {
    if (shown.length === MAX_SHOWN) break;
    shown.push(state.record(slot, state.orders.remaining(slot), OrderStatus.open));
  }
  return affectedText(call, market, market.openOrders, shown);
}

/** Previews rules: the open orders that break them. They would stay open. */
function previewRules(call: Call, market: Market, changes: Partial<ChangeableRules>): string {
  const rules = { ...market.rules, ...changes };
  const broken = brokenListingRule(market.base, market.quote, rules, call.exchange.state.version);
  if (broken !== undefined) throw invalidRules(call, broken);
  return findAffected(
    call,
    market,
    (order) =>
      validateAmount(order.amount, rules) !== undefined ||
      listPrices(order).some((price) => validatePrice(price, rules) !== undefined) ||
      market.notional(order.price || order.triggerPrice, order.amount) < rules.minNotional,
  );
}

/** Returns the prices of an order and of its attached legs. */
function listPrices({ price, triggerPrice, attached }: OrderRecord): number[] {
  const { takeProfit, stopLoss, oto } = attached ?? {};
  const all = [{ price, triggerPrice }, takeProfit, stopLoss].flatMap((each) =>
    each ? [each.price, each.triggerPrice] : [],
  );
  return [...all, oto?.order?.price ?? 0].filter((each) => each !== 0);
}

function invalidRules(call: Call, rule: string): ApiError {
  return rejectionError(rejected(RejectionCode.invalidRules, rule), call.exchange.state);
}

/** Returns the open orders that match, in the order in which they would trade. */
function findAffected(
  call: Call,
  market: Market,
  matches: (order: OrderRecord) => boolean,
): string {
  const { state } = call.exchange;
  const shown: OrderRecord[] = [];
  let count = 0;
  for (const slot of state.marketSlots(market)) {
    const order = state.record(slot, state.orders.remaining(slot), OrderStatus.open);
    if (!matches(order)) continue;
    count++;
    if (count <= MAX_SHOWN) shown.push(order);
  }
  return affectedText(call, market, count, shown);
}

function affectedText(call: Call, market: Market, count: number, shown: OrderRecord[]): string {
  const orders = ordersText(shown, call.exchange.state);
  return `{"market":${formatMarket(call, market.index)},"affected":${count},"orders":${orders}}`;
}
