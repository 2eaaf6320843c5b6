import type { Bug } from './bug.ts';

const engine = (test: string) => ({ file: 'src/engine/protection/trading-status.test.ts', test });
const STATUS = 'src/engine/protection/trading-status.ts';
const ADMINISTRATION = 'src/engine/protection/trading-status-administration.ts';

const BUSTS = 'src/engine/protection/trade-busts.ts';
const bust = (test: string) => ({ file: 'src/engine/protection/trade-busts.test.ts', test });

const LIMITS = 'src/engine/protection/trading-limits.ts';
const limits = (test: string) => ({ file: 'src/engine/protection/trading-limits.test.ts', test });

const ANNOUNCEMENTS = 'src/engine/protection/announcements.ts';
const announcement = (test: string) => ({
  file: 'src/engine/protection/announcements.test.ts',
  test,
});

/** Restrictions of trading in all markets, busts of trades, and limits of accounts. */
export const protectionBugs: readonly Bug[] = [
  {
    name: 'the kill switch makes a halted market cancel-only',
    file: 'src/engine/markets/markets.ts',
    text: 'return status === MarketStatus.halted ? status : restriction;',
    becomes: 'return restriction;',
    catcher: engine('keeps a stricter status of a market'),
  },
  {
    name: 'the kill switch is released while it cancels orders',
    file: ADMINISTRATION,
    text: 'if (isRelease && this.isCanceling)',
    becomes: 'if (false)',
    catcher: engine('cancels all orders in portions, and is not released before the last one'),
  },
  {
    name: 'a market that is listed during a halt trades',
    file: 'src/engine/markets/administration.ts',
    text: 'market.restriction = state.parts.tradingStatus.status;',
    becomes: 'market.restriction = 0;',
    catcher: engine('stays in force over a snapshot, also in markets that are listed later'),
  },
  {
    name: 'a maintenance never ends',
    file: STATUS,
    text: 'if (!first.isActive) this.add({ ...first, isActive: true });',
    becomes: 'this.add({ ...first, isActive: true, to: first.to + 1 });',
    catcher: engine('starts and ends by itself'),
  },
  {
    name: 'periods of maintenance overlap',
    file: ADMINISTRATION,
    text: 'from < each.to && each.from < to',
    becomes: 'from < each.from && each.from < to',
    catcher: engine('is replaced by one with the same start, and may overlap no other'),
  },
  {
    name: 'a bust keeps the fees',
    file: BUSTS,
    text: 'if (fee === 0) continue;',
    becomes: 'if (fee >= 0) continue;',
    catcher: bust('gives both sides back what they gave, with the fees'),
  },
  {
    name: 'a trade is busted twice',
    file: BUSTS,
    text: 'if (this.trades.has(trade.id)) return rejected(RejectionCode.alreadyBusted);',
    becomes: '',
    catcher: bust('happens once per trade, also after a snapshot'),
  },
  {
    name: 'a bust takes more than a side has',
    file: BUSTS,
    text: 'if (available >= required) continue;',
    becomes: 'if (available >= 0) continue;',
    catcher: bust('is rejected as long as a side no longer has what it received'),
  },
  {
    name: 'one operator busts a trade',
    file: 'src/engine/operators/approval-policy.ts',
    text: ' || action === ApprovalAction.tradeBusts) return true;',
    becomes: ') return true;',
    catcher: bust('always needs a second operator'),
  },
  {
    name: 'a bust of a trade within one account counts only what the account has left',
    file: BUSTS,
    text: 'trade.makerAccount === trade.takerAccount ? received.amount : 0;',
    becomes: '0;',
    catcher: bust('reverses a trade of an auction between orders of one account'),
  },
  {
    name: 'fills free no open notional',
    file: 'src/engine/state.ts',
    text: 'if (openNotional.isFollowing) openNotional.note(slot, remaining);',
    becomes: 'if (false) openNotional.note(slot, remaining);',
    catcher: limits('counts what rests, and is free again after fills and cancels'),
  },
  {
    name: 'an ended order keeps its open notional',
    file: 'src/engine/state.ts',
    text: 'if (openNotional.isFollowing) openNotional.forget(slot);',
    becomes: 'if (false) openNotional.forget(slot);',
    catcher: limits('counts what rests, and is free again after fills and cancels'),
  },
  {
    name: 'orders that never rest count towards the open notional',
    file: LIMITS,
    text: 'hasLimit(order.type) : canRest(order);',
    becomes: 'hasLimit(order.type) : hasLimit(order.type);',
    catcher: limits('does not count orders that cannot rest'),
  },
  {
    name: 'the limits reject an amendment that only lowers the amount',
    file: LIMITS,
    text: 'amount <= details.amount(slot);',
    becomes: 'amount < 0;',
    catcher: limits('never rejects a cancel or a lower amount'),
  },
  {
    name: 'a rejected order counts towards the order rate',
    file: LIMITS,
    text: "outcome.kind === 'rejected' || ",
    becomes: '',
    catcher: limits('never rejects a cancel or a lower amount'),
  },
  {
    name: 'the order rate never starts again',
    file: LIMITS,
    text: 'rateOrders: isInRate ? activity.rateOrders : 0,',
    becomes: 'rateOrders: activity?.rateOrders ?? 0,',
    catcher: limits('is of ten seconds, counts orders and amendments'),
  },
  {
    name: 'trades of makers do not count towards the orders per trade',
    file: LIMITS,
    text: '    this.noteSide(makerAccount);',
    becomes: '',
    catcher: limits('grow with the trades of the hour, as maker and as taker'),
  },
  {
    name: 'the limits of all accounts apply to those with their own',
    file: LIMITS,
    text: 'return this.own.get(account) ?? this.standard;',
    becomes: 'return this.standard;',
    catcher: limits('of all accounts apply to those without their own'),
  },
  {
    name: 'an announcement never ends',
    file: ANNOUNCEMENTS,
    text: 'const ends = announcements.map(({ until }) => until)',
    becomes: 'const ends = announcements.map(({ until }) => until && Number.POSITIVE_INFINITY)',
    catcher: announcement('ends by itself, the earliest first'),
  },
  {
    name: 'the id of a withdrawn announcement is given again',
    file: ANNOUNCEMENTS,
    text: 'const id = this.nextId++;',
    becomes: 'const id = (this.nextId = (this.announcements.at(-1)?.id ?? 0) + 2) - 1;',
    catcher: announcement('is withdrawn by its id, which is never given again'),
  },
  {
    name: 'the times of announcements are not in the digest',
    file: ANNOUNCEMENTS,
    text: 'mix(117, severity), id), until), time)',
    becomes: 'mix(117, severity), id), 0), 0)',
    catcher: announcement('is in the digest and in snapshots'),
  },
];
