import { expect, test } from 'bun:test';
import { BinanceVenue } from './venue.ts';

test('a subscription that waits for the log ends with a logout in the meantime', async () => {
  const venue = await BinanceVenue.open();
  const bot = await venue.connect('/ws-api/v3');
  await bot.call('session.logon', venue.signed('alice'));
  const current = Promise.withResolvers<void>();
  const { replica } = venue.exchange.services;
  // As on a node of a cluster, which waits until it has applied what the others acknowledged.
  replica.whenCurrent = () => current.promise;
  bot.send({ id: 'waits', method: 'userDataStream.subscribe' });
  expect((await bot.call('session.logout')).status).toBe(200);
  current.resolve();
  expect(await bot.take(({ id }) => id === 'waits')).toMatchObject({
    status: 401,
    error: { code: -2015 },
  });
  expect((await bot.call('session.subscriptions')).result).toEqual([]);
  replica.whenCurrent = () => undefined;
  await bot.call('session.logon', venue.signed('bob'));
  expect((await bot.call('userDataStream.subscribe')).status).toBe(200);
  await venue.close();
});
