import { expect, test } from 'bun:test';
import { ExchangeProcess, temporaryDirectory } from './exchange-process.ts';

const ORDER = '{"symbol":"BTC/USDT","side":"buy","type":"limit","amount":0.01,"price":45000}';
const FLIP = ['--preload', './test/process/flip-archivist.ts'];

test('a flipped bit in a balance that the archivist uses next stops the node', async () => {
  const directory = temporaryDirectory();
  const env = { FLIP_AFTER_BATCH: '3', FLIP_ASSET: 'USDT' };
  const exchange = await ExchangeProcess.start(directory.path, env, FLIP);
  const alice = exchange.credential('alice');
  // The order after the flip uses the balance, and the next comparison finds the difference.
  for (let count = 0; count < 4; count++) {
    await exchange.send(alice, 'POST', '/api/orders', ORDER).catch(() => {});
  }
  const { exitCode, output } = await exchange.ended();
  expect(exitCode).toBe(1);
  expect(output).toContain("archivist's state differs");
  directory.remove();
}, 60_000);

test('a flipped bit in unused data is found before it reaches a snapshot', async () => {
  const directory = temporaryDirectory();
  const env = { FLIP_AFTER_BATCH: '2', FLIP_ASSET: 'SOL' };
  const exchange = await ExchangeProcess.start(directory.path, env, FLIP);
  await exchange.send(exchange.credential('alice'), 'POST', '/api/orders', ORDER);
  await exchange.send(exchange.credential('alice'), 'POST', '/api/orders', ORDER);
  const { exitCode, output } = await exchange.stop();
  expect(exitCode).toBe(1);
  expect(output).toContain('wrong in the digest');
  directory.remove();
}, 60_000);
