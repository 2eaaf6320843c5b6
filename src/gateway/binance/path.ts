/** The path below which the dialect is served. */
export const BINANCE_PATH = '/binance';
