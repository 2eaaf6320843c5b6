import {
  type Command,
  CommandKind,
  type CreateAccount,
  SYSTEM_ACTOR,
  type Transfer,
} from '../../engine/command.ts';
import type { Asset } from '../../engine/markets/markets.ts';
import { product } from '../../engine/numbers/exact.ts';
import type { State } from '../../engine/state.ts';
import { NONE } from '../../engine/terms.ts';
import { SANDBOX_ASSETS } from '../sandbox.ts';
import { MAKER_ACCOUNTS, MAKER_FUNDS, MAKER_LIMIT_CLASS } from './maker-accounts.ts';

/**
 * Returns the commands that open and fund the market makers' accounts.
 * @param indexes The indexes that the accounts have or will get.
 * @param assets The assets of the exchange by their index; a fork of another exchange may lack some of the sandbox's.
 */
export function makerGenesis(
  indexes: readonly number[],
  assets: readonly Pick<Asset, 'asset' | 'decimals'>[] = SANDBOX_ASSETS,
): (CreateAccount | Transfer)[] {
  const accounts: CreateAccount[] = MAKER_ACCOUNTS.map((accountId) => ({
    kind: CommandKind.createAccount,
    ...SYSTEM_ACTOR,
    accountId,
    limitClass: MAKER_LIMIT_CLASS,
  }));
  const credits: Transfer[] = MAKER_ACCOUNTS.flatMap((accountId, index) =>
    SANDBOX_ASSETS.flatMap(({ asset }) => {
      const assetIndex = assets.findIndex((each) => each.asset === asset);
      if (assetIndex < 0) return [];
      return {
        kind: CommandKind.transfer,
        ...SYSTEM_ACTOR,
        owner: indexes[index]!,
        asset: assetIndex,
        amount: product(MAKER_FUNDS[asset], 1, 10 ** assets[assetIndex]!.decimals),
        reference: `sandbox-${accountId}-${asset}`,
        reason: 'sandbox funds',
      };
    }),
  );
  return [...accounts, ...credits];
}

/** Returns those of the commands that a sandbox created without market makers still needs. */
export function missingMakers({ accounts, accountsById, assets, transfers }: State): Command[] {
  let next = accounts.length;
  const indexes = MAKER_ACCOUNTS.map((id) => accountsById.get(id)?.index ?? next++);
  return makerGenesis(indexes, assets).filter((command) =>
    command.kind === CommandKind.createAccount
      ? !accountsById.has(command.accountId)
      : !transfers.has(command.reference),
  );
}

/** Returns the commands that cancel orders which the market makers left open when the process was killed. */
export function cancelLeftovers(state: State): Command[] {
  return MAKER_ACCOUNTS.flatMap((accountId) => {
    const account = state.accountsById.get(accountId);
    if (account === undefined || account.openSlots.length === 0) return [];
    return [
      {
        kind: CommandKind.cancelOrdersOf,
        ...SYSTEM_ACTOR,
        owner: account.index,
        market: NONE,
        orderIds: null,
        clientOrderId: null,
      },
    ];
  });
}
