import type { Fill, Market, Order, Price } from '../../src/client/index.ts';

export type ExactFill = Fill<string>;
export type ExactOrder = Order<string>;
export type ExactMarket = Market<string>;
export type ExactPrice = Price<string>;
