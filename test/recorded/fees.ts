import { CommandKind } from '../../src/engine/command.ts';
import { RejectionCode } from '../../src/engine/rejection.ts';
import { Side } from '../../src/engine/terms.ts';
import type { Timed } from '../reference/scenario.ts';
import { CommandList, limitOrder, OTHER, TRADER } from './command-list.ts';

const OPERATOR = { account: 0, key: 0 } as const;

/** Returns commands with rebates, referrals and a discount, and trades that they affect. */
export function feePrograms(): readonly Timed[] {
  const list = new CommandList();
  list.begin();
  const trade = () => {
    list.accept(limitOrder({ ...TRADER, price: 9000, amount: 70_007 }));
    list.accept(limitOrder({ ...OTHER, side: Side.sell, price: 9000, amount: 50_001 }));
    list.accept(limitOrder({ ...OTHER, side: Side.sell, price: 9000, amount: 20_006 }));
  };
  const setReferrer = { kind: CommandKind.setReferrer, ...OPERATOR };
  list.accept({ kind: CommandKind.setReferralShare, ...OPERATOR, share: 200_000 });
  list.accept({ ...setReferrer, owner: TRADER.account, referrer: 0 });
  list.accept({ ...setReferrer, owner: OTHER.account, referrer: TRADER.account });
  const { alreadyReferred, referrerNotAllowed, invalidRules } = RejectionCode;
  list.reject({ ...setReferrer, owner: OTHER.account, referrer: 0 }, alreadyReferred);
  list.reject({ ...setReferrer, owner: 1, referrer: OTHER.account }, referrerNotAllowed);
  trade();
  const changeRules = { kind: CommandKind.changeMarketRules, ...OPERATOR, market: 0 };
  list.accept({ ...changeRules, rules: { makerFee: -300 } });
  trade();
  const tiers = [{ minVolume: 1, makerFee: -500, takerFee: 900 }];
  list.accept({ kind: CommandKind.setFeeTiers, ...OPERATOR, asset: 1, tiers });
  trade();
  const token = { asset: 'TOKEN', name: 'Token', decimals: 2 };
  list.accept({ kind: CommandKind.createAsset, ...OPERATOR, ...token });
  const setDiscount = { kind: CommandKind.setFeeDiscount, ...OPERATOR, asset: 2, minBalance: 1 };
  list.reject({ ...setDiscount, rate: 500_000 }, invalidRules);
  list.accept({ ...setDiscount, rate: 250_000 });
  trade();
  list.accept({ ...setDiscount, rate: 0 });
  return list.timed;
}
