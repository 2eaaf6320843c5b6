import { join } from 'node:path';
import { type Command, CommandKind, SYSTEM_ACTOR } from '../../src/engine/command.ts';
import { ByteWriter } from '../../src/engine/numbers/bytes.ts';
import { Side, TimeInForce } from '../../src/engine/terms.ts';
import { encodeCommand } from '../../src/log/codec.ts';
import { FileLog } from '../../src/log/file-log.ts';
import { DiskStorage } from '../../src/storage/disk-storage.ts';
import { limitOrder } from '../../src/testing/test-exchange.ts';

const ORDERS_PER_ACCOUNT = 1_500;
const BATCH = 1_000;
/** Accounts of the sandbox: alice, who queries history, and the first one created here. */
const ALICE = 1;
const FIRST = 3;
const MIDDLE = 11_800_000;

/**
 * Writes resting orders of many accounts into the log of a sandbox that has been started once and
 * stopped: `openOrders` in total, the first 1,500 of them alice's, after 20,000 ended orders of hers.
 */
export function fillBooks(dataDirectory: string, openOrders: number): Promise<void> {
  return append(dataDirectory, function* () {
    for (let index = 0; index < 20_000; index++) yield order(ALICE, index, TimeInForce.ioc);
    yield* resting(openOrders, (account, index) => order(account, index, TimeInForce.gtc));
  });
}

/** Writes one sell order on each of a number of price levels, a tick apart, and no buy orders. */
export function fillLevels(dataDirectory: string, levels: number): Promise<void> {
  return append(dataDirectory, () =>
    resting(levels, (account, _, place) => ({
      ...order(account, 0, TimeInForce.gtc),
      side: Side.sell,
      price: MIDDLE + 1_000 + place,
    })),
  );
}

/**
 * Appends commands to the log of a stopped sandbox, in batches at the time of its last one.
 * @param make Makes the commands, given that time (milliseconds since 1970).
 */
export async function append(
  dataDirectory: string,
  make: (time: number) => Iterable<Command>,
): Promise<void> {
  const log = await FileLog.open({
    storage: new DiskStorage(),
    directory: join(dataDirectory, 'log'),
  });
  const writer = new ByteWriter();
  const time = log.lastTime;
  let count = 0;
  const flush = async (): Promise<void> => {
    if (count > 0) await log.append(time, count, writer.bytes());
    writer.reset();
    count = 0;
  };
  for (const command of make(time)) {
    encodeCommand(writer, command);
    if (++count === BATCH) await flush();
  }
  await flush();
  await log.close();
}

/** Creates accounts with funds, and 1,500 orders of each; `place` counts all orders. */
function* resting(
  orders: number,
  make: (account: number, index: number, place: number) => Command,
): Generator<Command> {
  const accounts = Math.ceil(orders / ORDERS_PER_ACCOUNT);
  for (let number = 0; number < accounts; number++) {
    const account = number === 0 ? ALICE : FIRST + number - 1;
    if (number > 0) {
      const accountId = `holder-${number}`;
      yield { kind: CommandKind.createAccount, ...SYSTEM_ACTOR, accountId, limitClass: 1 };
    }
    for (const asset of [0, 1]) {
      const reference = `funds-${number}-${asset}`;
      const terms = { owner: account, asset, amount: 1e15, reference, reason: 'bench' };
      yield { kind: CommandKind.transfer, ...SYSTEM_ACTOR, ...terms };
    }
    const before = number * ORDERS_PER_ACCOUNT;
    const count = Math.min(ORDERS_PER_ACCOUNT, orders - before);
    for (let index = 0; index < count; index++) {
      yield make(account, number + index * 7, before + index);
    }
  }
}

/** Returns a price far from the other side, so that nothing trades. */
function order(account: number, index: number, timeInForce: number): Command {
  const side = index % 2 === 0 ? Side.buy : Side.sell;
  const away = 1_000 + ((index * 7_919) % 100_000);
  return {
    ...limitOrder(account, side, MIDDLE + (side === Side.buy ? -away : away), 10_000),
    timeInForce,
  };
}
