/** Five accounts per side, because each can have 2,000 open orders: 10,000 recorded orders of a side can rest. */
const NUMBERS = [1, 2, 3, 4, 5] as const;

/** Accounts that place recorded buy orders. */
export const BUYERS = NUMBERS.map((number) => `recorded-buyer-${number}`);
/** Accounts that place recorded sell orders. */
export const SELLERS = NUMBERS.map((number) => `recorded-seller-${number}`);
