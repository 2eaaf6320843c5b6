import type { Bug } from './bug.ts';

const unit = (file: string, test: string) => ({ file: `src/replica/${file}.test.ts`, test });

/** Client order ids that only history may have, and the filter that avoids most lookups. */
export const searchBugs: readonly Bug[] = [
  {
    name: 'one account takes the places of all in the queue for history',
    file: 'src/replica/search-queue.ts',
    text: 'queue.length >= MAX_PER_ACCOUNT ||',
    becomes: '',
    catcher: unit('search-queue', 'an account may have 128 items waiting'),
  },
  {
    name: 'an account with many ids is looked up before the others',
    file: 'src/replica/search-queue.ts',
    text: 'items.push(queue.shift()!);',
    becomes: 'items.push(...queue.splice(0, count - items.length));',
    catcher: unit('order-search', 'neither refuses nor delays'),
  },
  {
    name: 'the filter forgets the previous generation when it rotates',
    file: 'src/replica/dropped-id-filter.ts',
    text: 'this.previous = current;',
    becomes: 'this.previous = undefined;',
    catcher: unit('dropped-ids', 'the filter keeps an id for its lifetime'),
  },
  {
    name: 'the filter rotates before the ids in it have expired',
    file: 'src/replica/dropped-id-filter.ts',
    text: 'now - this.currentSince >= this.lifetimeMs',
    becomes: 'now - this.currentSince >= this.lifetimeMs / 2',
    catcher: unit('dropped-ids', 'the filter keeps an id for its lifetime'),
  },
  {
    name: 'the filter misses ids that are dropped after newer ones',
    file: 'src/engine/client-order-ids/client-order-ids.ts',
    text: 'if (this.onDropped !== undefined) {',
    becomes: 'if (this.onDropped !== undefined && orderId === ids.droppedOrderId) {',
    catcher: unit('dropped-ids', 'an id is found if it is dropped after newer ones'),
  },
  {
    name: 'after a start the filter is trusted before history is read',
    file: 'src/replica/dropped-ids.ts',
    text: '.filter((account) => state.clientOrderIds.needsHistory(account))',
    becomes: '.filter(() => false)',
    catcher: unit('dropped-ids', 'no used id is taken for a new one'),
  },
  {
    name: 'only the first page of an account is read into the filter',
    file: 'src/replica/dropped-ids.ts',
    text: '} while (before !== undefined);',
    becomes: '} while (false);',
    catcher: unit('dropped-ids', 'no used id is taken for a new one'),
  },
  {
    name: 'the filter keeps what it read from damaged history',
    file: 'src/replica/dropped-ids.ts',
    text: 'this.damageFound = this.currentDamage;\n    this.unloaded = new Set(this.droppedBefore);\n    this.loadSoon();\n  }\n\n  private loadSoon',
    becomes: '}\n\n  private loadSoon',
    catcher: unit('dropped-ids', 'after damage to history'),
  },
  {
    name: 'orders that wait for a commit are not found among several ids',
    file: 'src/history/queries/reader.ts',
    text: 'if (wanted.delete(order.id)) found.push(order);',
    becomes: '',
    catcher: {
      file: 'test/binance/oto-lists.test.ts',
      test: 'a pending order starts when the working order is filled',
    },
  },
  {
    name: 'orders that wait for a commit are missing from the ids of an account',
    file: 'src/history/queries/identities.ts',
    text: 'before === undefined ? this.pending.orders(account) : []',
    becomes: 'before === 0 ? this.pending.orders(account) : []',
    catcher: {
      file: 'src/history/queries/identities.test.ts',
      test: 'the ids of an account come in pages',
    },
  },
  {
    name: 'a look-up of ids reads all orders of an account',
    file: 'src/history/queries/identities.ts',
    text: ".join(' OR ')})`,",
    becomes: ".join(' OR ')}) ORDER BY id`,",
    catcher: {
      file: 'src/history/queries/identities.test.ts',
      test: 'look-ups of ids use their index',
    },
  },
  {
    name: 'of the orders of an id the older one is found',
    file: 'src/history/queries/identities.ts',
    text: 'if (orderId > (found.get(clientOrderId)?.orderId ?? 0)) {',
    becomes: 'if (orderId < (found.get(clientOrderId)?.orderId ?? Infinity)) {',
    catcher: { file: 'src/history/queries/identities.test.ts', test: 'the newest of each id' },
  },
];
