import type { Bug } from './bug.ts';

const OPERATIONS = 'src/gateway/stream/operations/operations.ts';
const byTest = (test: string) => ({ file: 'test/stream/operations.test.ts', test });

/** Orders and reads over WebSocket. */
export const operationBugs: readonly Bug[] = [
  {
    name: 'an unknown parameter of an operation hides that it takes an order id',
    file: 'src/gateway/stream/operations/operation-call.ts',
    text: "const known = 'id' in this.parameters ? ['orderId', ...open] : open;",
    becomes: 'const known = open;',
    catcher: {
      file: 'test/stream/operations.test.ts',
      test: 'errors speak of messages and operations',
    },
  },
  {
    name: 'the schema of an amendment takes a price of zero',
    file: 'src/gateway/openapi/order-schema.ts',
    text: "price: optional(positive, 'The new limit price.'),",
    becomes: "price: optional(decimal, 'The new limit price.'),",
    catcher: { file: 'test/http/order-schema.test.ts', test: 'an amendment fits the schema' },
  },
  {
    name: 'the fills of an OCO order are requested and not returned',
    file: 'src/gateway/endpoints/orders/oco.ts',
    text: 'const format = body.returnFills === true ? formatOrderWithFills : formatOrder;',
    becomes: 'const format = formatOrder;',
    catcher: { file: 'test/http/order-fills.test.ts', test: 'orders of an OCO order' },
  },
  {
    name: 'an operation needs no permission',
    file: OPERATIONS,
    text: 'this.authorization.authorize(caller, access, operation.socket.data.from.address)',
    becomes: 'undefined',
    catcher: byTest('operations need an authenticated connection and the permission'),
  },
  {
    name: 'an operation whose id is in progress is carried out',
    file: OPERATIONS,
    text: 'if (inFlight.has(id)) {',
    becomes: 'if (inFlight.has(op as string)) {',
    catcher: byTest('an id in progress is refused'),
  },
  {
    name: 'a connection may have any number of operations in progress',
    file: OPERATIONS,
    text: 'if (inFlight.size >= MAX_IN_FLIGHT) {',
    becomes: 'if (inFlight.size >= 100 * MAX_IN_FLIGHT) {',
    catcher: byTest('of ten thousand operations at once'),
  },
  {
    name: 'a batch over a socket counts as one order',
    file: OPERATIONS,
    text: 'operation.count(this.authorization, caller, orders)',
    becomes: 'operation.count(this.authorization, caller, 0)',
    catcher: byTest('requests and operations share the rate limit of their endpoint'),
  },
  {
    name: 'rejected operations are counted as successful',
    file: 'src/gateway/stream/stream-metrics.ts',
    text: 'STATUS_LABELS.length + statusSlot(status)',
    becomes: 'STATUS_LABELS.length + statusSlot(200)',
    catcher: byTest('responses are counted by operation'),
  },
  {
    name: 'the delay of a flood counts as the duration of its operations',
    file: 'src/gateway/stream/operations/operations.ts',
    text: 'operation.startedAt += performance.now() - delayedAt;',
    becomes: 'operation.startedAt += Math.min(0, delayedAt);',
    catcher: byTest('rejections of a flooding address are delayed'),
  },
  {
    name: 'durations of operations over REST have those of another route',
    file: 'src/gateway/stream/stream-metrics.ts',
    text: 'OPERATIONS[number]!,\n          name,',
    becomes: 'number,\n          name,',
    catcher: byTest('the time from receipt to response is measured'),
  },
  {
    name: 'a stop does not wait for operations in progress',
    file: 'src/gateway/http/server.ts',
    text: ' && metrics.operationsInFlight === 0',
    becomes: '',
    catcher: byTest('a stop waits for the operations in progress'),
  },
  {
    name: 'the AsyncAPI document lacks an error of an operation',
    file: 'src/gateway/openapi/error-codes.ts',
    text: '!OF_REQUESTS.includes(code)',
    becomes: "!OF_REQUESTS.includes(code) && code !== 'ORDER_NOT_FOUND'",
    catcher: byTest('of ten thousand operations at once'),
  },
  {
    name: 'the AsyncAPI document requires a field that updates of a book lack',
    file: 'src/gateway/asyncapi/channel-schemas.ts',
    text: 'update: chained(bookChanges),',
    becomes: 'update: chained(wholeBook),',
    catcher: {
      file: 'test/stream/public.test.ts',
      test: 'book updates match the book of REST',
    },
  },
];
