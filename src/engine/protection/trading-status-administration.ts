import type { CancelMaintenance, ScheduleMaintenance, SetTradingStatus } from '../command.ts';
import type { Outcome } from '../event.ts';
import { MAX_MAINTENANCE, MAX_NOTICE_LENGTH } from '../limits.ts';
import type { Portions } from '../orders/endings/portions.ts';
import { ANY_KEY } from '../orders/endings/sweeps.ts';
import { untrigger } from '../orders/triggers/triggering.ts';
import { type Rejection, RejectionCode, rejected } from '../rejection.ts';
import type { State } from '../state.ts';
import { MarketStatus, NONE, OrderReason } from '../terms.ts';

const DONE: Outcome = { kind: 'done' };
const STATUSES: readonly number[] = [
  MarketStatus.online,
  MarketStatus.cancelOnly,
  MarketStatus.halted,
];

/** Operator commands that restrict trading in all markets. */
export class TradingStatusAdministration {
  constructor(
    private readonly state: State,
    private readonly portions: Portions,
  ) {}

  setTradingStatus({ status, reason, cancelOrders }: SetTradingStatus): Outcome {
    const { state } = this;
    const rejection = this.checkNotice('reason', reason);
    if (rejection !== undefined) return rejection;
    const isRelease = status === MarketStatus.online;
    if (!STATUSES.includes(status) || (isRelease && cancelOrders)) {
      return rejected(
        RejectionCode.invalidRules,
        'the status must be trading, cancel_only or halted, and orders are not canceled with trading',
      );
    }
    // The rest of the cancellation would include orders that are placed after the release.
    if (isRelease && this.isCanceling) return rejected(RejectionCode.cancellationInProgress);
    state.parts.tradingStatus.setKillSwitch({ status, reason, since: state.time });
    if (cancelOrders && !this.isCanceling) this.cancelAll();
    return DONE;
  }

  scheduleMaintenance({ from, to, mode, message }: ScheduleMaintenance): Outcome {
    const { state } = this;
    const { tradingStatus } = state.parts;
    const rejection = this.checkNotice('message', message);
    if (rejection !== undefined) return rejection;
    if (mode !== MarketStatus.cancelOnly && mode !== MarketStatus.halted) {
      return rejected(RejectionCode.invalidRules, 'the mode must be cancel_only or halted');
    }
    if (from >= to || to <= state.time) {
      return rejected(
        RejectionCode.invalidRules,
        'a maintenance must end in the future, after it starts',
      );
    }
    const others = tradingStatus.maintenance.filter((each) => each.from !== from);
    if (others.some((each) => from < each.to && each.from < to)) {
      return rejected(RejectionCode.invalidRules, 'another maintenance is scheduled at that time');
    }
    if (others.length >= MAX_MAINTENANCE) {
      return rejected(RejectionCode.limitReached, 'scheduled maintenance');
    }
    tradingStatus.remove(from);
    tradingStatus.add({ from, to, mode, message, isActive: from <= state.time });
    return DONE;
  }

  cancelMaintenance({ from }: CancelMaintenance): Outcome {
    const removed = this.state.parts.tradingStatus.remove(from);
    return removed === undefined ? rejected(RejectionCode.unknownMaintenance) : DONE;
  }

  /** Whether orders of all accounts are being canceled, other than those of a delisted market. */
  private get isCanceling(): boolean {
    return this.state.sweeps.queue.some(
      ({ account, reason }) => account === NONE && reason === OrderReason.operator,
    );
  }

  /** Cancels all open orders, market by market. */
  private cancelAll(): void {
    const { state } = this;
    for (const market of state.markets) {
      if (market.openOrders === 0 || market.status === MarketStatus.delisted) continue;
      untrigger(state, market);
      const terms = { account: NONE, key: ANY_KEY, market: market.index, orderIds: null };
      this.portions.start({ ...terms, reason: OrderReason.operator });
    }
  }

  private checkNotice(name: string, text: string): Rejection | undefined {
    if (this.state.version < 2) {
      return rejected(
        RejectionCode.invalidRules,
        'the exchange must be upgraded to engine version 2',
      );
    }
    if (text.trim() !== '' && text.length <= MAX_NOTICE_LENGTH) return undefined;
    return rejected(
      RejectionCode.invalidRules,
      `the ${name} must have 1 to ${MAX_NOTICE_LENGTH} characters`,
    );
  }
}
