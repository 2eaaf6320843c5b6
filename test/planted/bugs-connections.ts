import type { Bug } from './bug.ts';

const preview = (test: string) => ({ file: 'src/engine/orders/preview/preview.test.ts', test });
const RANDOM = 'the preview of a random order equals what placing it does, and changes nothing';
const TAKER = 'src/engine/orders/preview/previewed-taker.ts';
const engine = (test: string) => ({
  file: 'src/engine/orders/connections/connections.test.ts',
  test,
});
const node = (test: string) => ({ file: 'src/replica/client-connections.test.ts', test });
const STORE = 'src/engine/orders/connections/connection-store.ts';
const CONNECTIONS = 'src/engine/orders/connections/connections.ts';
const CLIENTS = 'src/replica/client-connections.ts';

/** Previews of orders, and connections whose orders are canceled when they end. */
export const connectionBugs: readonly Bug[] = [
  {
    name: 'a preview charges every fill the fee of the first one',
    file: TAKER,
    text: 'market, state.time, this.filledCost);',
    becomes: 'market, state.time, 0);',
    catcher: preview('the fee of each fill is that of the tier which the fills before it reach'),
  },
  {
    name: 'a preview trades with own orders',
    file: TAKER,
    text: 'if (orders.owner(this.maker) === owner) {',
    becomes: 'if (owner === -2) {',
    catcher: preview(RANDOM),
  },
  {
    name: 'a preview by decrement keeps the amount',
    file: TAKER,
    text: 'this.amount -= quantity;',
    becomes: 'this.amount -= 0;',
    catcher: preview(RANDOM),
  },
  {
    name: 'a preview ignores fill or kill',
    file: TAKER,
    text: 'if (timeInForce === TimeInForce.fok) {',
    becomes: 'if (timeInForce === -1) {',
    catcher: preview(RANDOM),
  },
  {
    name: 'a preview is of the time of the last command',
    file: 'src/engine/orders/preview/preview.ts',
    text: 'if (time <= state.time) return state;',
    becomes: 'if (time > 0) return state;',
    catcher: preview('a preview is of the time given'),
  },
  {
    name: 'a preview computes any number of fills',
    file: TAKER,
    text: 'if (this.fills.length === MAX_PREVIEWED_FILLS) {',
    becomes: 'if (this.fills.length === -1) {',
    catcher: preview('a preview computes a bounded number of fills'),
  },
  {
    name: 'any account places orders on a connection',
    file: CONNECTIONS,
    text: 'return connection?.account === account ?',
    becomes: 'return connection !== undefined || account < 0 ?',
    catcher: engine('only the account of a connection places on it'),
  },
  {
    name: 'an amended order leaves its connection',
    file: 'src/engine/orders/matching/trading.ts',
    text: 'this.takerConnection = connection;',
    becomes: 'this.takerConnection = connection * 0;',
    catcher: engine('an amended, a partly filled and a triggered order stay with their connection'),
  },
  {
    name: 'legs of a bracket order stay when its connection ends',
    file: 'src/engine/orders/contingent/brackets.ts',
    text: 'connections.current = connections.findBracket(parent.id);',
    becomes: 'connections.current = 0;',
    catcher: engine('the legs of a bracket order end with their connection'),
  },
  {
    name: 'every later order belongs to the connection of the last one',
    file: 'src/engine/exchange.ts',
    text: 'const outcome = this.execute(command);\n    connections.current = 0;',
    becomes: 'const outcome = this.execute(command);',
    catcher: 'simulator',
  },
  {
    name: 'a lease that is due can be renewed',
    file: STORE,
    text: 'lease.node === node && lease.dueAt > time',
    becomes: 'lease.node === node && lease.dueAt > 0 * time',
    catcher: engine('a restarted node ends the connections of its last run, not its new ones'),
  },
  {
    name: 'connections without orders end in any number at once',
    file: 'src/engine/orders/endings/portions.ts',
    text: 'sweeps.endsLeft--;\n    return { orders: [] };',
    becomes: 'return { orders: [] };',
    catcher: engine('an expired lease ends a bounded number of connections and orders per portion'),
  },
  {
    name: 'an expired lease waits for the next command',
    file: 'src/engine/exchange.ts',
    text: 'Math.max(time, this.portions.nextDate)',
    becomes:
      'Math.max(time, Math.min(this.state.expiries.nextTime, this.state.deadlines.nextTime))',
    catcher: engine('the connections of a node end unless it renews its lease'),
  },
  {
    name: 'an order that ended leaves its connection in the digest',
    file: STORE,
    text: 'this.orders.delete(slot);\n    this.state.exclude(',
    becomes: 'this.orders.delete(slot);\n    if (slot < 0) this.state.exclude(',
    catcher: 'simulator',
  },
  {
    name: 'a node serves while orders of its last run are still open',
    file: CLIENTS,
    text: 'while (this.listOldLeases().length > 0 || this.isCanceling) {',
    becomes: 'while (this.listOldLeases().length > 0 && !this.isCanceling) {',
    catcher: node('orders of a killed node are canceled before the restarted one serves'),
  },
  {
    name: 'a connection whose opening was not answered stays open',
    file: CLIENTS,
    text: 'for (const { id } of this.listOwn()) if (!this.open.has(id)) this.submitClose(id);',
    becomes: '',
    catcher: node('a connection whose opening has an unknown outcome does not stay open'),
  },
  {
    name: 'a node does not renew its lease',
    file: CLIENTS,
    text: 'if (this.open.size > 0) this.renew();',
    becomes: '',
    catcher: node('connections live on while their node renews them'),
  },
];
