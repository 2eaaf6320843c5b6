import type { Bug } from './bug.ts';

const travel = (test: string) => ({ file: 'test/http/time-travel.test.ts', test });

const life = (test: string) => ({ file: 'src/archivist/past/timeline.test.ts', test });
const timeline = (test: string) => ({ file: 'test/http/order-timeline.test.ts', test });
const replays = (test: string) => ({ file: 'src/archivist/past/replays.test.ts', test });
const MODEL = 'the timeline of every order equals that of the reference model';

/** Time travel and order timelines. */
export const pastBugs: readonly Bug[] = [
  {
    name: 'orders that were open in the past are shown as they ended',
    file: 'src/archivist/past/past-archivist.ts',
    text: 'orders = final.orders.filter(({ id }) => !unfinished.has(id)).slice(0, filter.limit)',
    becomes: 'orders = final.orders.slice(0, filter.limit)',
    catcher: travel('byte for byte (seed 1)'),
  },
  {
    name: 'a past page is short by the orders that were open then',
    file: 'src/archivist/past/past-archivist.ts',
    text: 'limit: filter.limit + unfinished.size',
    becomes: 'limit: filter.limit',
    catcher: travel('byte for byte (seed 1)'),
  },
  {
    name: 'legs that were not yet activated have a past as canceled orders',
    file: 'src/archivist/past/past-archivist.ts',
    text: '[order, ...listPendingLegs(order)]',
    becomes: '[order]',
    catcher: travel('byte for byte (seed 1)'),
  },
  {
    name: 'past balances include later ledger entries',
    file: 'src/archivist/past/past-archivist.ts',
    text: 'Math.min(page.beforeId ?? nextEntryId, nextEntryId)',
    becomes: 'page.beforeId',
    catcher: travel('byte for byte (seed 1)'),
  },
  {
    name: 'a replay to a time stops before the batches of that time',
    file: 'src/archivist/past/replays.ts',
    text: 'batch.time > moment.time) break',
    becomes: 'batch.time >= moment.time) break',
    catcher: travel('byte for byte (seed 1)'),
  },
  {
    name: 'a replay back in time continues from the later state',
    file: 'src/archivist/past/replays.ts',
    text: ': current.position.sequence <= moment.position);',
    becomes: ': true);',
    catcher: travel('byte for byte (seed 1)'),
  },
  {
    name: 'a real exchange shows the past',
    file: 'src/gateway/gateway.ts',
    text: 'this.past = isSandbox ? new PastCalls(services, authorization) : undefined',
    becomes: 'this.past = new PastCalls(services, authorization)',
    catcher: travel('a real exchange has no at'),
  },
  {
    name: 'requests for past states are not limited',
    file: 'src/gateway/auth/authorization.ts',
    text: 'past.take(reader, 0, this.services.now(), caller?.account.limitClass);',
    becomes: 'past.take(reader, 0, this.services.now(), 1e9);',
    catcher: travel('requests with at have a limit of their own'),
  },
  {
    name: 'a timeline counts what icebergs hide as ahead',
    file: 'src/archivist/past/queue-ahead.ts',
    text: 'queue = sum(queue, orders.remaining(at));',
    becomes: 'queue = sum(queue, state.remaining(at));',
    catcher: life(MODEL),
  },
  {
    name: 'a timeline misses that an amended order lost its place',
    file: 'src/archivist/past/order-observer.ts',
    text: 'if (wasResting && !hasMoved) return;',
    becomes: 'if (wasResting) return;',
    catcher: life(MODEL),
  },
  {
    name: 'a timeline shows a leg as placed that never was',
    file: 'src/archivist/past/order-observer.ts',
    text: 'if (!isDropped) this.add',
    becomes: 'this.add',
    catcher: life(MODEL),
  },
  {
    name: 'a timeline does not show the activation of a trailing stop',
    file: 'src/archivist/past/order-observer.ts',
    text: "if (this.isActivated) this.add('activated');",
    becomes: '',
    catcher: life(MODEL),
  },
  {
    name: 'a timeline begins after the placement of its order',
    file: 'src/archivist/past/past.ts',
    text: 'time: order.createdAt - 1 }',
    becomes: 'time: order.createdAt }',
    catcher: life(MODEL),
  },
  {
    name: 'points of a timeline grow without bound',
    file: 'src/archivist/past/order-observer.ts',
    text: 'if (this.samples.length <= this.maxPoints) return;',
    becomes: 'if (this.samples.length > 0) return;',
    catcher: life('points are bounded'),
  },
  {
    name: 'a timeline that ends early counts as complete',
    file: 'src/archivist/past/past.ts',
    text: 'observer.hasEnded || found.position.sequence === through',
    becomes: 'observer.events.length > 0',
    catcher: life('ends early, or is asked for again'),
  },
  {
    name: 'a timeline shows the orders of others',
    file: 'src/archivist/archive.ts',
    text: "await this.answer({ ...query, kind: 'order' })",
    becomes: "await this.answer({ ...query, kind: 'order', account: 1 })",
    catcher: timeline("is the owner's only"),
  },
  {
    name: 'a timeline without an order ahead names those of its price',
    file: 'src/archivist/past/obstacle.ts',
    text: "if (ahead.amount !== 0) return 'orders_ahead';",
    becomes: "if (ahead.levels >= 0) return 'orders_ahead';",
    catcher: timeline('says what an order waits for'),
  },
  {
    name: 'timelines are not limited',
    file: 'src/gateway/past/past-calls.ts',
    text: 'if (replaysLog) this',
    becomes: 'if (false as boolean) this',
    catcher: timeline('timelines count as requests for past states'),
  },
  {
    name: 'a past state has the commands that an operator skipped',
    file: 'src/archivist/past/replays.ts',
    text: '      noteSkip(batch, skips);\n',
    becomes: '',
    catcher: replays('is skipped in the past too'),
  },
  {
    name: 'a damaged log ends the archivist that replays it for a past state',
    file: 'src/archivist/past/past.ts',
    text: 'const isKnown = error instanceof StoredDataError || error',
    becomes: 'const isKnown = error',
    catcher: replays('a log that cannot be read is an answer'),
  },
  {
    name: 'a replay to a past state is one long step',
    file: 'src/archivist/past/replays.ts',
    text: 'if (source.elapsedMs() < until) continue;',
    becomes: 'if (source.elapsedMs() < until + Infinity) continue;',
    catcher: replays('batches are applied between two steps'),
  },
  {
    name: 'a past state of any size is shown',
    file: 'src/archivist/past/kept-states.ts',
    text: 'state.orders.size > MAX_OPEN_ORDERS',
    becomes: 'state.orders.size < MAX_OPEN_ORDERS - 1e9',
    catcher: replays('too many open orders'),
  },
  {
    name: 'the past keeps no stored snapshots',
    file: 'src/archivist/past/replays.ts',
    text: 'if (kept !== undefined) this.kept.keep(kept);',
    becomes: '',
    catcher: replays('stored snapshots are used'),
  },
];
