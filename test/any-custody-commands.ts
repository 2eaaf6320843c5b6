import fc from 'fast-check';
import { type Command, CommandKind, type CustodyCommand } from '../src/engine/command.ts';
import { exact } from '../src/engine/numbers/exact.ts';

const index = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const indexOrNone = fc.oneof(fc.constant(-1), fc.nat());
const units = fc.oneof(fc.nat(), fc.maxSafeNat());
const money = fc.oneof(fc.bigInt(), fc.bigInt({ min: -(10n ** 70n), max: 10n ** 70n })).map(exact);
const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string());
const bytes = fc.uint8Array({ maxLength: 64 });
const actor = { account: indexOrNone, key: indexOrNone };
const place = { network: index, address: text, memo: text };

/** Fields of each kind of command about deposits and withdrawals. */
const fields = {
  setNetwork: {
    asset: index,
    name: text,
    decimals: fc.nat(255),
    minDeposit: money,
    minWithdrawal: money,
    withdrawalFee: money,
    dailyLimit: money,
    approvalAbove: money,
    confirmations: index,
    memo: fc.nat(255),
    deposits: fc.boolean(),
    withdrawals: fc.boolean(),
    hourlyCount: index,
    addressCoolingMs: units,
    newDeviceDelayMs: units,
  },
  setCustodianKey: { publicKey: bytes },
  requestAddress: { network: index },
  assignAddress: { keyNumber: index, owner: index, ...place },
  reportDeposit: {
    ...{ keyNumber: index, ...place, transaction: text, index, amount: money },
    ...{ confirmations: units, report: units, reorganized: fc.boolean(), searchedBelow: units },
  },
  resolveDeposit: { deposit: units, resolution: fc.nat(255), owner: indexOrNone },
  addWithdrawalAddress: place,
  removeWithdrawalAddress: { addressId: units },
  requestWithdrawal: {
    addressId: units,
    amount: money,
    clientId: fc.option(text, { nil: null }),
    isNewDevice: fc.boolean(),
  },
  cancelWithdrawal: { withdrawal: units },
  approveWithdrawal: { withdrawal: units },
  rejectWithdrawal: { withdrawal: units, reason: text },
  reportWithdrawal: {
    ...{ keyNumber: index, withdrawal: units, reached: fc.nat(255), transaction: text },
    ...{ reason: text, report: units },
  },
  reportHoldings: { keyNumber: index, network: index, amount: money, report: units },
  acknowledgeInstruction: { instruction: units },
} as const satisfies Record<CustodyName, Record<string, fc.Arbitrary<unknown>>>;

type CustodyName = {
  [Name in keyof typeof CommandKind]: (typeof CommandKind)[Name] extends CustodyCommand['kind']
    ? Name
    : never;
}[keyof typeof CommandKind];

/** One arbitrary per kind of command about deposits and withdrawals, by name. */
export const custodyCommands = Object.fromEntries(
  Object.entries(fields).map(([name, own]) => {
    const all = { kind: fc.constant(CommandKind[name as CustodyName]), ...actor, ...own };
    const requiredKeys = Object.keys(all).filter((key) => key !== 'searchedBelow');
    return [name, fc.record(all as never, { requiredKeys } as never)];
  }),
) as unknown as { [Name in CustodyName]: fc.Arbitrary<Command> };
