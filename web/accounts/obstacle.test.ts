import { describe, expect, test } from 'bun:test';
import { findObstacle } from './obstacle.ts';

describe('findObstacle', () => {
  const EMPTY = { frozen: false, openOrders: 0, balances: [] };
  const balance = (asset: string, total: string) => ({ asset, total, available: total, held: '0' });

  test('returns undefined for an account without orders and funds', () => {
    expect(findObstacle(EMPTY)).toBeUndefined();
    expect(findObstacle({ ...EMPTY, balances: [balance('BTC', '0')] })).toBeUndefined();
  });

  test('names the assets that the account holds', () => {
    const balances = [balance('BTC', '0.5'), balance('ETH', '0'), balance('USDT', '7')];
    expect(findObstacle({ ...EMPTY, balances })).toBe(
      'It still holds BTC, USDT. Transfer its balances first.',
    );
  });

  test('counts open orders, which come before the funds that they hold', () => {
    const balances = [balance('USDT', '7')];
    expect(findObstacle({ ...EMPTY, openOrders: 1, balances })).toBe(
      'It still has 1 open order. Cancel it first.',
    );
    expect(findObstacle({ ...EMPTY, openOrders: 3, balances })).toBe(
      'It still has 3 open orders. Cancel them first.',
    );
  });

  test('sends the owner of a frozen account to the operator, whatever it holds', () => {
    const frozen = { frozen: true, openOrders: 2, balances: [balance('USDT', '7')] };
    expect(findObstacle(frozen)).toBe(
      'The account is frozen. Contact the operator of this exchange.',
    );
  });
});
