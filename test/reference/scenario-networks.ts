import { type Command, CommandKind, SYSTEM_ACTOR } from '../../src/engine/command.ts';
import { MemoRule } from '../../src/engine/custody/statuses.ts';

/** Returns the commands that create a network of each of the first two assets. */
export function firstNetworks(decimals: readonly number[]): Command[] {
  return [0, 1].map((asset) => ({
    kind: CommandKind.setNetwork,
    ...SYSTEM_ACTOR,
    ...{ asset, name: `network-${asset}`, decimals: decimals[asset]!, memo: MemoRule.none },
    ...{ minDeposit: 0, minWithdrawal: 0, withdrawalFee: 1, dailyLimit: 0, hourlyCount: 0 },
    ...{ approvalAbove: asset === 0 ? 0 : 10n ** 29n, confirmations: 2, addressCoolingMs: 0 },
    ...{ newDeviceDelayMs: 5, deposits: true, withdrawals: true },
  }));
}
