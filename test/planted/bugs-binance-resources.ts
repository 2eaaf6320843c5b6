import type { Bug } from './bug.ts';

const weights = (test: string) => ({ file: 'test/binance/weights.test.ts', test });
const listenKeys = (test: string) => ({ file: 'test/binance/listen-keys.test.ts', test });
const sockets = (test: string) => ({
  file: 'src/gateway/binance/streams/stream-sockets.test.ts',
  test,
});
const IN_TURN = 'candles are read one at a time by address';

/** The costs of the Binance dialect's requests and streams, and who may open them. */
export const binanceResourceBugs: readonly Bug[] = [
  {
    name: 'public data is read before the log is applied',
    file: 'src/archivist/archivist-thread.ts',
    text: 'const takesPatient = !isLagging || start >= this.patientReadsFrom;',
    becomes: 'const takesPatient = true;',
    catcher: {
      file: 'src/archivist/archivist-thread.test.ts',
      test: 'public data is read for at most a tenth of the time',
    },
  },
  {
    name: 'the figures of a window are read before the log is applied',
    file: 'src/archivist/query-queue.ts',
    text: "  'totalCandle',\n",
    becomes: '',
    catcher: {
      file: 'src/archivist/archivist-thread.test.ts',
      test: 'public data is read for at most a tenth of the time',
    },
  },
  {
    name: 'the unanswered public reads of an address are not bounded',
    file: 'src/archivist/read-limits.ts',
    text: 'queriedAccount(query) ?? address;',
    becomes: 'queriedAccount(query);',
    catcher: {
      file: 'src/archivist/read-limits.test.ts',
      test: 'an address has two reads of public data at a time',
    },
  },
  {
    name: 'a page of klines of a time zone reads as many rows as one of UTC',
    file: 'src/gateway/binance/market-data/klines.ts',
    text: 'const maxRows = zoneMs === 0 ? MAX_ROWS : MAX_ROWS_WITH_ZONE;',
    becomes: 'const maxRows = MAX_ROWS + 0 * MAX_ROWS_WITH_ZONE;',
    catcher: weights('a page of candles reads at most 6,000 rows'),
  },
  {
    name: 'klines have streams of any time zone',
    file: 'src/gateway/binance/streams/names.ts',
    text: '(@\\+08:00)?$/;',
    becomes: '(@.*)?$/;',
    catcher: sockets('klines have streams in UTC'),
  },
  {
    name: 'an address has several queries of history at a time',
    file: 'src/gateway/stream/replay/backfill.ts',
    text: '      if (this.busy.has(name)) continue;\n',
    becomes: '',
    catcher: sockets(IN_TURN),
  },
  {
    name: 'a stream that has closed still waits for history',
    file: 'src/gateway/binance/streams/kline-stream.ts',
    text: '    this.turn.end();\n',
    becomes: '',
    catcher: sockets(IN_TURN),
  },
  {
    name: 'the streams that wait for history are not bounded',
    file: 'src/gateway/stream/replay/backfill.ts',
    text: '+ subscriptions <= MAX_WAITING;',
    becomes: '+ subscriptions >= 0 * MAX_WAITING;',
    catcher: sockets('the streams of an address that wait for history are bounded'),
  },
  {
    name: 'the trades that wait for a candle are not bounded',
    file: 'src/gateway/binance/streams/kline-stream.ts',
    text: '> MAX_WAITING_TRADES) this.waiting = undefined;',
    becomes: '< -MAX_WAITING_TRADES) this.waiting = undefined;',
    catcher: {
      file: 'src/gateway/binance/streams/kline-stream.test.ts',
      test: 'trades beyond a maximum during a query are dropped',
    },
  },
  {
    name: 'a request that cannot be read weighs nothing',
    file: 'src/gateway/binance/limits.ts',
    text: 'export const BASE_WEIGHT = 1;',
    becomes: 'export const BASE_WEIGHT = 0;',
    catcher: weights('requests that cannot be read weigh 1'),
  },
  {
    name: 'a banned address keeps its connection to the WebSocket API',
    file: 'src/gateway/binance/ws-api/ws-api.ts',
    text: 'if (status === BANNED) {',
    becomes: 'if (status === -BANNED) {',
    catcher: weights('an address that ignores 429 is disconnected'),
    isSilence: true,
  },
  {
    name: 'a listen key of the same millisecond is that which was deleted',
    file: 'src/gateway/binance/user-data/listen-keys.ts',
    text: 'Math.max(now, (newest?.createdAt ?? 0) + 1)',
    becomes: 'Math.max(now, newest?.createdAt ?? 0)',
    catcher: listenKeys('a deleted listen key is never valid again'),
  },
  {
    name: 'the id of a key with a secret opens a user data stream',
    file: 'src/gateway/binance/security.ts',
    text: ' && maySign(key, this.services);',
    becomes: ';',
    catcher: listenKeys('a listen key needs an API key that could sign'),
  },
  {
    name: 'a listen key outlives the permission of HMAC keys',
    file: 'src/gateway/binance/user-data/user-data.ts',
    text: ' || !maySign(found.key, this.services)) throw',
    becomes: ' || !maySign) throw',
    catcher: listenKeys('a listen key needs an API key that could sign'),
    isSilence: true,
  },
  {
    name: 'the other listen keys of a rejected subscription stay attached',
    file: 'src/gateway/binance/streams/stream-sockets.ts',
    text: '      for (const detach of attached.values()) detach();\n',
    becomes: '',
    catcher: sockets('a subscription with a listen key that is not valid subscribes to nothing'),
  },
  {
    name: 'a subscription begins after the logout of its session',
    file: 'src/gateway/binance/ws-api/subscriptions.ts',
    text: "    if (socket.data.session !== session) throw new ApiError('UNAUTHORIZED');\n",
    becomes: '',
    catcher: {
      file: 'test/binance/socket-sessions.test.ts',
      test: 'a subscription that waits for the log ends with a logout',
    },
  },
  {
    name: 'messages to all sockets may be as long as those to the streams of the dialect',
    file: 'src/gateway/http/server.ts',
    text: 'return Buffer.byteLength(message) > maxBytes;',
    becomes: 'return Buffer.byteLength(message) < 0 * maxBytes;',
    catcher: {
      file: 'test/binance/large-subscriptions.test.ts',
      test: 'messages to the streams have at most 64 KiB',
    },
  },
];
