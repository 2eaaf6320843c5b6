/** Whether this exchange is a sandbox; known without a session. */
export const isSandbox = document.documentElement.dataset.sandbox !== undefined;

/** Whether this exchange serves the Binance dialect. */
export const hasBinance = document.documentElement.dataset.binance !== undefined;
