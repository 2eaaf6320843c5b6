import type { Bug } from './bug.ts';

const engine = (test: string) => ({ file: 'src/engine/protection/trading-status.test.ts', test });
const STATUS = 'src/engine/protection/trading-status.ts';
const ADMINISTRATION = 'src/engine/protection/trading-status-administration.ts';

const BUSTS = 'src/engine/protection/trade-busts.ts';
const bust = (test: string) => ({ file: 'src/engine/protection/trade-busts.test.ts', test });

/** Restrictions of trading in all markets, and busts of trades. */
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
];
