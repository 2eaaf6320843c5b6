import { CommandKind, SYSTEM_ACTOR } from '../../engine/command.ts';
import { MarketStatus } from '../../engine/terms.ts';
import type { Replica } from '../../replica/replica.ts';
import { MAKER, TAKER } from '../makers/maker-accounts.ts';
import { Faults } from './faults.ts';
import type { Moment } from './injected-log.ts';

/**
 * Creates the faults of a sandbox, which do not happen to its market makers.
 * @param now The exchange's clock, milliseconds since 1970.
 * @param speed Returns the exchange's time per real time; 0 while its clock stands still.
 * @param seed The default of the scripts' seeds is derived from it.
 */
export function createFaults(
  replica: Replica,
  now: () => number,
  seed: number,
  speed: () => number,
): Faults {
  return new Faults({
    now,
    speed,
    position: () => replica.position,
    accountId: (account) => replica.exchange.state.accounts[account]!.id,
    setHalted: (symbol, isHalted) => setHalted(replica, now, symbol, isHalted),
    exemptAccounts: [MAKER, TAKER],
    seed,
  });
}

/** Submits the command that halts or opens a market: see `SetHalted`. */
function setHalted(
  replica: Replica,
  now: () => number,
  symbol: string,
  isHalted: boolean,
): Promise<Moment | undefined> | undefined {
  const { online, halted } = MarketStatus;
  const market = replica.exchange.state.marketsBySymbol.get(symbol);
  if (market === undefined || market.status !== (isHalted ? online : halted)) return undefined;
  const status = isHalted ? halted : online;
  const kind = CommandKind.setMarketStatus;
  return new Promise((resolve) => {
    replica.submit(
      { kind, ...SYSTEM_ACTOR, market: market.index, status },
      // Read at once, because a clock that is played moves on after the command.
      (outcome) =>
        resolve(
          outcome.kind === 'market' ? { position: replica.position, time: now() } : undefined,
        ),
      () => resolve(undefined),
    );
  });
}
