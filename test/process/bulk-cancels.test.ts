import { expect, setDefaultTimeout, test } from 'bun:test';
import { join } from 'node:path';
import { FileLog } from '../../src/log/file-log.ts';
import { MAX_BATCH_BYTES } from '../../src/replica/waiting.ts';
import { DiskStorage } from '../../src/storage/disk-storage.ts';
import { type Credential, ExchangeProcess, temporaryDirectory } from './exchange-process.ts';
import { RawConnection } from './raw-connection.ts';

setDefaultTimeout(120_000);

const CONNECTIONS = 400;
const IDS = Array.from({ length: 1000 }, (_, n) => 1_000_000 + n).join(',');

const request = ({ apiKey, apiSecret }: Credential, method: string, path: string, body = '') =>
  `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${apiKey}\r\n` +
  `X-API-Secret: ${apiSecret}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

test('many bulk cancels stop no process, and are rejected only for their account', async () => {
  const directory = temporaryDirectory();
  const exchange = await ExchangeProcess.start(directory.path);
  const [alice, bob] = [exchange.credential('alice'), exchange.credential('bob')];
  const open = () => RawConnection.open(exchange.baseUrl);
  const pile = await Promise.all(Array.from({ length: CONNECTIONS }, open));
  const others = await Promise.all([open(), open()]);
  // All requests arrive before the process runs again.
  exchange.pause();
  for (const one of pile) one.send(request(alice, 'DELETE', `/api/orders?ids=${IDS}`));
  const order = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price: 4500 };
  others[0]!.send(request(bob, 'POST', '/api/orders', JSON.stringify(order)));
  others[1]!.send(request(bob, 'DELETE', '/api/orders?all=true'));
  exchange.resume();
  const answers = await Promise.all([...pile, ...others].map((one) => one.receive()));
  const own = answers.slice(0, CONNECTIONS).map((answer) => answer?.status);
  expect(new Set(own)).toEqual(new Set([200, 503]));
  const refused = answers.find((answer) => answer?.status === 503);
  expect(refused?.headers.get('Retry-After')).toBe('1');
  expect(JSON.parse(refused!.text).error.code).toBe('OVERLOADED');
  expect(answers.slice(CONNECTIONS).map((answer) => answer?.status)).toEqual([200, 200]);
  for (const one of [...pile, ...others]) one.destroy();
  expect((await exchange.stop()).exitCode).toBe(0);
  const storage = new DiskStorage();
  const log = await FileLog.open({ storage, directory: join(directory.path, 'log') });
  const sizes = [...log.read(0)].map(({ payload }) => payload.length);
  await log.close();
  expect(Math.max(...sizes)).toBeLessThanOrEqual(MAX_BATCH_BYTES);
  expect(Math.max(...sizes)).toBeGreaterThan(MAX_BATCH_BYTES / 8);
  directory.remove();
});
