import { NONE } from './terms.ts';

/**
 * A command: everything that can change the exchange, as stored in the log. A command is complete:
 * ids, hashes and exact integers are part of it, so applying it needs no other input.
 * The numbers never change; new commands are appended. 6 and 20 are older layouts of listMarket and
 * amendOrder that the codec still reads; 40 is a layout of transfer.
 */
export const CommandKind = {
  /** First command of every log. */
  open: 1,
  /** Advances the time. */
  tick: 2,
  placeOrder: 3,
  cancelOrder: 4,
  createAsset: 5,
  setMarketStatus: 7,
  createAccount: 8,
  createKey: 9,
  revokeKey: 10,
  transfer: 11,
  /** Records that a command which stopped the exchange is skipped (see `archivist/recovery.ts`). */
  skip: 12,
  setAccountStatus: 13,
  placeStopOrder: 14,
  listMarket: 15,
  placeOco: 16,
  cancelOrders: 21,
  cancelAfter: 22,
  changeMarketRules: 23,
  delistMarket: 24,
  cancelOrdersOf: 25,
  setFeeTiers: 26,
  setAccountFeeTier: 27,
  setAccountLimitClass: 28,
  placeBracket: 29,
  amendOrder: 30,
  /** Raises the version of the engine's behavior. */
  upgrade: 31,
  createSignedKey: 36,
  useSignature: 37,
  createHmacKey: 38,
  /** Replaces the seal of an HMAC key's secret, when the operator rotates the sealing key. */
  resealKey: 39,
  /** Changes the label, the IP allowlist or both of a key. */
  changeKey: 41,
  /** Closes or reopens a sub-account. */
  closeSubAccount: 42,
  /** Reports the custodian's holdings on a network. */
  reportHoldings: 43,
  placeOnConnection: 50,
  openConnection: 51,
  closeConnection: 52,
  renewNodeConnections: 53,
  closeNodeConnections: 54,
  executeBy: 55,
  setApprovalPolicy: 60,
  requestApproval: 61,
  approve: 62,
  rejectApproval: 63,
  /** Grants permissions to a user, who is known to the engine by an id only. */
  grantAccess: 64,
  addNote: 65,
  removeNote: 66,
  setNetwork: 70,
  setCustodianKey: 71,
  requestAddress: 72,
  assignAddress: 73,
  reportDeposit: 74,
  resolveDeposit: 75,
  addWithdrawalAddress: 76,
  removeWithdrawalAddress: 77,
  requestWithdrawal: 78,
  cancelWithdrawal: 79,
  approveWithdrawal: 80,
  rejectWithdrawal: 81,
  reportWithdrawal: 82,
  acknowledgeInstruction: 83,
  createSubAccount: 90,
  renameSubAccount: 91,
  /** Moves money between the accounts of users; `transfer` is that of operators. */
  internalTransfer: 92,
  setTradingStatus: 110,
  scheduleMaintenance: 111,
  cancelMaintenance: 112,
  /** Sets the limits on the trading of an account, or of all accounts without their own. */
  setTradingLimits: 113,
  bustTrade: 115,
  announce: 116,
  withdrawAnnouncement: 117,
  setFeeDiscount: 120,
  setReferralShare: 121,
  setReferrer: 122,
  reviewAlert: 125,
} as const;

/**
 * The indexes of the account and API key that sent a command. Both are NONE only for commands of
 * the process itself.
 */
export interface Actor {
  readonly account: number;
  readonly key: number;
}

/** An operator who may say why. The audit has the reason; the engine does not use it. */
export interface Explained extends Actor {
  /** At most `MAX_REASON_LENGTH` characters; not empty. Only in logs of engine version 2. */
  readonly reason?: string;
}

/** The kinds of commands that extend Explained. */
export const EXPLAINED_KINDS = [
  CommandKind.setMarketStatus,
  CommandKind.changeMarketRules,
  CommandKind.delistMarket,
  CommandKind.setFeeTiers,
  CommandKind.setAccountFeeTier,
  CommandKind.setAccountLimitClass,
  CommandKind.setTradingLimits,
  CommandKind.setFeeDiscount,
  CommandKind.setReferralShare,
  CommandKind.setReferrer,
  CommandKind.setNetwork,
] as const;

/** The actor of commands that the process itself makes. */
export const SYSTEM_ACTOR = { account: NONE, key: NONE } as const satisfies Actor;
