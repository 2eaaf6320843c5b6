import { type Command, CommandKind } from '../engine/command.ts';
import { product } from '../engine/exact.ts';
import { NOBODY, SANDBOX_ASSETS } from '../sandbox.ts';
import { HOUSE_ACCOUNTS, HOUSE_FUNDS, HOUSE_LIMIT_CLASS } from './accounts.ts';

/**
 * The commands that open the house's accounts and fund them.
 * @param first Index of the first of them: how many accounts there are.
 */
export function houseGenesis(first: number): Command[] {
  const accounts: Command[] = HOUSE_ACCOUNTS.map((accountId) => ({
    kind: CommandKind.createAccount,
    ...NOBODY,
    accountId,
    limitClass: HOUSE_LIMIT_CLASS,
  }));
  const credits: Command[] = HOUSE_ACCOUNTS.flatMap((accountId, index) =>
    SANDBOX_ASSETS.map(({ asset, decimals }, assetIndex) => ({
      kind: CommandKind.transfer,
      ...NOBODY,
      owner: first + index,
      asset: assetIndex,
      amount: product(HOUSE_FUNDS[asset], 1, 10 ** decimals),
      reference: `sandbox-${accountId}-${asset}`,
      reason: 'sandbox funds',
    })),
  );
  return [...accounts, ...credits];
}
