/** Client of the public API, exported as `buttonwood/client`. It also runs in browsers. */
export type * from './api/operator-parameters.ts';
export type * from './api/operator-records.ts';
export type * from './api/parameters.ts';
export type {
  Asset,
  AssetLiabilities,
  AttachedOrders,
  Balance,
  Candle,
  Deadline,
  Delivery,
  Deposit,
  DepositAddress,
  ErrorCode,
  Fee,
  FeeDiscount,
  FeeTier,
  Fill,
  GroupAccount,
  IncludedBalance,
  InternalTransfer,
  LedgerEntry,
  LiabilityProof,
  Market,
  Network,
  Notice,
  Order,
  OrderFee,
  OrderHold,
  OrderLeg,
  OwnKey,
  Passkey,
  PortfolioPoint,
  Price,
  PriceAlert,
  Profile,
  ProfitAndLoss,
  ProofNode,
  Report,
  Session,
  SignIn,
  TestedFill,
  TestedOrder,
  Trade,
  TriggeredOrder,
  Webhook,
  Withdrawal,
  WithdrawalAddress,
  WithdrawalLimit,
} from './api/records.ts';
export { Client, type ClientOptions } from './client.ts';
export { newClientOrderId } from './client-order-id.ts';
export type { AccountChoice } from './credentials.ts';
export {
  ApiRequestError,
  ApprovalRequiredError,
  NotSentError,
  OutcomeUnknownError,
  OutOfSyncError,
  StreamClosedError,
  UnreachableError,
} from './errors.ts';
export type { ClientNumber } from './numbers.ts';
export {
  formatSmallestUnits,
  type VerifiedInclusion,
  verifyInclusion,
  verifyProofs,
} from './proofs/liabilities.ts';
export { ProofError } from './proofs/sum-tree.ts';
export type { OnRateLimit, RateLimit } from './rate-limit.ts';
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
