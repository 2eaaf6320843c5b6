import type { Market, Price } from '../../src/client/index.ts';

export type ExactMarket = Market<string>;
export type ExactPrice = Price<string>;
