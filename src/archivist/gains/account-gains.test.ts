import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { EntryType } from '../../engine/terms.ts';
import { AccountGains, chain, INDEX_UNIT, type Valuation } from './account-gains.ts';
import type { BalanceChange } from './balance-changes.ts';
import { type CostMethod, costMethods } from './cost-basis.ts';
import type { Disposal } from './method-gains.ts';

/** Tests gains against a naive model, which keeps every unit of an asset with its own cost. */

const QUOTE = 0;
const DAY_MS = 86_400_000;

/** A step of a random history: amounts are positive, prices are quote units per unit of assets 1 and 2. */
interface Step {
  readonly kind: 'deposit' | 'withdraw' | 'buy' | 'sell' | 'swap' | 'cost' | 'income' | 'bust';
  readonly asset: 1 | 2;
  readonly amount: number;
  readonly price: number;
  readonly feePercent: number;
}

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom<Step['kind']>(
      ...(['deposit', 'withdraw', 'buy', 'sell', 'swap', 'cost', 'income', 'bust'] as const),
    ),
    asset: fc.constantFrom<1 | 2>(1, 2),
    amount: fc.integer({ min: 1, max: 50 }),
    price: fc.integer({ min: 1, max: 1000 }),
    feePercent: fc.integer({ min: -20, max: 40 }),
  }),
  { maxLength: 60 },
);

const TYPES = {
  deposit: EntryType.deposit,
  withdraw: EntryType.withdrawal,
  buy: EntryType.trade,
  sell: EntryType.trade,
  swap: EntryType.trade,
  cost: EntryType.withdrawalFee,
  income: EntryType.referral,
  bust: EntryType.tradeBust,
};
const KINDS = {
  deposit: 'flow',
  withdraw: 'flow',
  buy: 'trade',
  sell: 'trade',
  swap: 'trade',
  cost: 'cost',
  income: 'income',
  bust: 'bust',
} as const;

/** Plays steps, and calls `check` after each change. */
function play(
  history: readonly Step[],
  check: (gains: AccountGains, change: BalanceChange, price: Valuation) => void,
): { gains: AccountGains; disposals: Record<CostMethod, Disposal[]> } {
  const disposals: Record<CostMethod, Disposal[]> = { fifo: [], average: [] };
  const gains = new AccountGains(QUOTE, (method, each) => disposals[method].push(each));
  const prices = [1n, 100n, 7n];
  const value: Valuation = (asset, amount) => amount * prices[asset]!;
  for (const [at, step] of history.entries()) {
    prices[step.asset] = BigInt(step.price);
    const change = toChange(step, at * DAY_MS, (asset) => gains.amounts[asset] ?? 0n);
    if (change === undefined) continue;
    gains.apply(change, value);
    check(gains, change, value);
  }
  return { gains, disposals };
}

/** Returns the change of a step, made smaller if the account has less; undefined if nothing is left. */
function toChange(
  { kind, asset, amount, price, feePercent }: Step,
  time: number,
  held: (asset: number) => bigint,
): BalanceChange | undefined {
  const amounts = new Map<number, bigint>();
  const fees = new Map<number, bigint>();
  const least = (a: bigint, b: bigint) => (a < b ? a : b);
  const exchange = (given: number, gives: bigint, received: number, gets: bigint) => {
    const size = (base: bigint) => (base * BigInt(Math.abs(feePercent))) / 100n;
    const isRebate = feePercent < 0;
    const fee = size(isRebate ? gives : gets);
    amounts.set(given, -gives + (isRebate ? fee : 0n));
    amounts.set(received, gets - (isRebate ? 0n : fee));
    if (fee > 0n) fees.set(isRebate ? given : received, isRebate ? -fee : fee);
  };
  const owned = least(BigInt(amount), held(asset));
  const other = asset === 1 ? 2 : 1;
  if (kind === 'deposit') amounts.set(feePercent < 0 ? QUOTE : asset, BigInt(amount));
  if (kind === 'withdraw') amounts.set(asset, -owned);
  if (kind === 'income') amounts.set(asset, BigInt(amount));
  if (kind === 'cost') {
    amounts.set(asset, -owned);
    fees.set(asset, owned);
  }
  if (kind === 'buy') {
    const affordable = held(QUOTE) / BigInt(price);
    const bought = least(BigInt(amount), affordable);
    exchange(QUOTE, bought * BigInt(price), asset, bought);
  }
  if (kind === 'sell' || kind === 'bust') exchange(asset, owned, QUOTE, owned * BigInt(price));
  if (kind === 'swap') exchange(asset, owned, other, BigInt(amount));
  if ([...amounts.values()].every((each) => each === 0n)) return undefined;
  return { kind: KINDS[kind], type: TYPES[kind], reference: 1, time, amounts, fees };
}

/** Units of an asset in order of their acquisition, each with its cost as a double. */
class UnitModel {
  readonly units = new Map<number, number[]>();
  realized = 0;

  constructor(private readonly method: CostMethod) {}

  apply({ kind, amounts }: BalanceChange, price: Valuation): void {
    const value = (asset: number, amount: bigint) =>
      Number(asset === QUOTE ? amount : price(asset, amount)!);
    const given = [...amounts].filter(([, amount]) => amount < 0n);
    const received = [...amounts].filter(([, amount]) => amount > 0n);
    const inQuote = [...received, ...given].find(([asset]) => asset === QUOTE);
    const [asset, amount] = inQuote ?? received[0] ?? given[0]!;
    const worth = value(asset, amount < 0n ? -amount : amount);
    const isTrade = kind === 'trade' || kind === 'bust';
    for (const [each, size] of given) {
      const cost = this.take(each, Number(-size));
      if (kind === 'flow') continue;
      this.realized += (isTrade && received.length > 0 ? worth : 0) - cost;
    }
    for (const [each, size] of received) {
      const cost = isTrade && given.length === 0 ? 0 : worth;
      if (kind === 'income') this.realized += worth;
      const units = this.units.get(each) ?? [];
      for (let unit = 0; unit < Number(size); unit++) units.push(cost / Number(size));
      this.units.set(each, units);
    }
  }

  cost(asset: number): number {
    return (this.units.get(asset) ?? []).reduce((sum, cost) => sum + cost, 0);
  }

  private take(asset: number, amount: number): number {
    if (asset === QUOTE) {
      // All units cost 1, and there are too many to list in a change.
      return this.units.get(asset)!.splice(0, amount).length;
    }
    const units = this.units.get(asset)!;
    if (this.method === 'average') units.fill(this.cost(asset) / units.length);
    return units.splice(0, amount).reduce((sum, cost) => sum + cost, 0);
  }
}

describe('gains of an account', () => {
  test('realized and unrealized gains equal the value less net flows, exactly, after every change', () => {
    fc.assert(
      fc.property(steps, (history) => {
        play(history, (gains, _, price) => {
          const value = gains.total((asset, amount) => price(asset, amount));
          for (const method of costMethods) {
            const { cost, realized, withdrawnGain } = gains.methods[method].totals();
            const unrealized = value - cost;
            expect(realized + unrealized + withdrawnGain).toBe(value - gains.netFlows);
            let sum = 0n;
            for (const { basis } of gains.methods[method].assets.values()) sum += basis.cost;
            expect(sum).toBe(cost);
          }
        });
      }),
    );
  });

  test('costs and gains are those of a model that keeps each unit, up to rounding', () => {
    fc.assert(
      fc.property(steps, (history) => {
        const models = { fifo: new UnitModel('fifo'), average: new UnitModel('average') };
        let changes = 0;
        play(history, (gains, change, price) => {
          changes++;
          for (const method of costMethods) {
            const model = models[method];
            model.apply(change, price);
            const { realized } = gains.methods[method].totals();
            expect(Math.abs(Number(realized) - model.realized)).toBeLessThanOrEqual(2 * changes);
            for (const [asset, { basis }] of gains.methods[method].assets) {
              const difference = Math.abs(Number(basis.cost) - model.cost(asset));
              // A part's cost is rounded down to a unit, once per lot.
              expect(difference).toBeLessThanOrEqual(changes + 1e-6);
            }
          }
        });
      }),
      { numRuns: 60 },
    );
  });

  test('the listed disposals of a year add up to its totals, and all of them to the realized gain', () => {
    fc.assert(
      fc.property(steps, (history) => {
        const { gains, disposals } = play(history, () => {});
        for (const method of costMethods) {
          const listed = disposals[method].reduce(
            (sum, { proceeds, cost }) => sum + proceeds - cost,
            0n,
          );
          const { realized } = gains.methods[method].totals();
          const years = gains.methods[method].years;
          expect(listed).toBe(realized);
          expect(years.reduce((sum, { gains: plus, losses }) => sum + plus + losses, 0n)).toBe(
            realized,
          );
        }
      }),
    );
  });

  test('deposits and withdrawals do not change the return', () => {
    fc.assert(
      fc.property(steps, fc.nat({ max: 60 }), (history, at) => {
        const flows = [1, 2, 3].map((amount) => ({
          kind: 'deposit' as const,
          asset: 1 as const,
          amount,
          price: 100,
          feePercent: -1,
        }));
        const before = play(history.slice(0, at), () => {}).gains.points.at(-1);
        const after = play([...history.slice(0, at), ...flows], () => {}).gains.points.at(-1);
        if (before === undefined || before.indexBase === 0n || before.amounts[1]) return;
        if (before.amounts[2]) return;
        expect(chain(after!, after!.indexBase)).toBe(chain(before, before.amounts[0] ?? 0n));
      }),
    );
  });

  test('returns of periods between flows are chained', () => {
    const gains = new AccountGains(QUOTE);
    let price = 100n;
    const value: Valuation = (_, amount) => amount * price;
    const flow = (asset: number, amount: bigint, time: number) =>
      gains.apply(
        {
          kind: 'flow',
          type: EntryType.deposit,
          reference: 1,
          time,
          amounts: new Map([[asset, amount]]),
          fees: new Map(),
        },
        value,
      );
    flow(1, 10n, 0);
    price = 110n;
    flow(QUOTE, 98_900n, DAY_MS);
    price = 220n;
    // +10 %, and then 1,100 of 100,000 doubles: +1.1 %.
    const index = chain(gains.points.at(-1)!, gains.total(value));
    expect(index).toBe((INDEX_UNIT * 11121n) / 10000n);
    expect(gains.netFlows).toBe(99_900n);
  });

  test('of many points the older ones are kept per day', () => {
    const gains = new AccountGains(QUOTE, undefined, 8);
    for (let hour = 0; hour < 60; hour++) {
      for (const minute of [0, 5]) {
        const time = (hour * 60 + minute) * 60_000;
        const amounts = new Map([[QUOTE, 1n]]);
        const type = EntryType.deposit;
        gains.apply({ kind: 'flow', type, reference: 1, time, amounts, fees: new Map() }, () => 0n);
      }
    }
    expect(gains.points.length).toBeLessThanOrEqual(8);
    expect(gains.points.at(-1)!.amounts).toEqual([120n]);
    const days = new Set(gains.points.map(({ time }) => Math.floor(time / DAY_MS)));
    expect([...days]).toEqual([0, 1, 2]);
  });
});
