/** Requests per minute of the classes of endpoints. */
export const RATES = {
  /** Also the limit of unknown paths and of methods that a path does not have. */
  public: 100,
  read: 60,
  trade: 30,
  /** Orders, amendments and cancels of a user at the page, per endpoint. */
  sessionOrders: 300,
  operate: 600,
  signIn: 10,
  session: 60,
  /** Reports of ten thousand deposits per second, by the address of the custodian. */
  custodian: 600_000,
  /** Time may stand still in a sandbox, and its tests then send any number of requests in a minute of it. */
  sandbox: 1_000_000,
} as const;
