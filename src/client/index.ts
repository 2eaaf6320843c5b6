/** Client of the public API, exported as `buttonwood/client`. It also runs in browsers. */
export type * from './api/operator-parameters.ts';
export type * from './api/operator-records.ts';
export type * from './api/parameters.ts';
export type {
  Asset,
  AttachedOrders,
  Balance,
  Candle,
  Deadline,
  ErrorCode,
  Fee,
  FeeTier,
  Fill,
  LedgerEntry,
  Market,
  Order,
  OrderFee,
  OrderHold,
  OrderLeg,
  OwnKey,
  Passkey,
  PortfolioPoint,
  Price,
  Profile,
  Session,
  TestedFill,
  TestedOrder,
  Trade,
  TriggeredOrder,
} from './api/records.ts';
export { Client, type ClientOptions } from './client.ts';
export { newClientOrderId } from './client-order-id.ts';
export {
  ApiRequestError,
  NotSentError,
  OutcomeUnknownError,
  OutOfSyncError,
  StreamClosedError,
  UnreachableError,
} from './errors.ts';
export type { ClientNumber } from './numbers.ts';
export type { CallOptions } from './route.ts';
export type { PrivateKey } from './signing.ts';
export type { StreamSocket, StreamSocketClass } from './stream/connection.ts';
export { Level3Book, type OrderLevel, type QueuePosition } from './stream/level3-book.ts';
export { type Level, OrderBook } from './stream/order-book.ts';
export { Streams, type StreamsOptions } from './stream/streams.ts';
export type {
  BookLevels,
  BookOrders,
  Channel,
  ChannelData,
  StreamMessage,
  Topic,
} from './stream/topics.ts';
export { Trading, type TradingOptions } from './trading/trading.ts';
