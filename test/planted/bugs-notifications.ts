import type { Bug } from './bug.ts';

const WEBHOOKS = 'test/http/webhooks.test.ts';
const DELIVERY = 'test/delivery.test.ts';
const FEES = 'test/http/fees.test.ts';
const ONCE = 'a notice is added once, even if its event is delivered again after a crash';
const IN_ORDER = 'gets every event once in order, whatever its receiver and its owner do';

/** Bugs of webhooks, price alerts, notices, and of the endpoints about fees. */
export const notificationBugs: readonly Bug[] = [
  {
    name: 'an event that is delivered again makes another notice',
    file: 'src/gateway/notifications/channels.ts',
    text: 'await users.notices.add(accountId, id, {',
    becomes: 'await users.notices.add(accountId, id + Math.random(), {',
    catcher: { file: WEBHOOKS, test: ONCE },
  },
  {
    name: 'a webhook leaves out an event that was not accepted',
    file: 'src/gateway/notifications/dispatcher.ts',
    text: "if (attempt.error === '' || this.isExpired(",
    becomes: 'if (attempt.status !== 0 || this.isExpired(',
    catcher: { file: WEBHOOKS, test: IN_ORDER },
    isSilence: true,
  },
  {
    name: 'slow receivers of webhooks have all attempts',
    file: 'src/gateway/notifications/dispatcher.ts',
    text: 'if (slow.has(accountId) && ofSlow >= max / 2) return false;',
    becomes: '',
    catcher: { file: 'test/http/slow-webhooks.test.ts', test: 'leave half of the attempts' },
    isSilence: true,
  },
  {
    name: 'a mail that was refused is not sent again',
    file: 'src/gateway/notifications/channels.ts',
    text: 'return { status: 0, error, durationMs: Math.round(performance.now() - startedAt) };',
    becomes:
      "return { status: 0, error: '', durationMs: Math.round(performance.now() - startedAt) };",
    catcher: { file: 'test/http/event-mails.test.ts', test: 'is sent again' },
    isSilence: true,
  },
  {
    name: 'a webhook has another id with each attempt',
    file: 'src/gateway/notifications/channels.ts',
    text: 'signatureHeaders(signed,',
    becomes: 'signatureHeaders({ ...signed, id: signed.id + Math.random() },',
    catcher: { file: WEBHOOKS, test: IN_ORDER },
  },
  {
    name: 'a webhook whose receiver is gone is tried again',
    file: 'src/gateway/notifications/dispatcher.ts',
    text: 'const GONE = 410;',
    becomes: 'const GONE = 411;',
    catcher: {
      file: WEBHOOKS,
      test: 'is stopped if its receiver is gone, and continues where it stopped',
    },
    isSilence: true,
  },
  {
    name: 'a price alert triggers only beyond its price',
    file: 'src/gateway/notifications/price-watch.ts',
    text: 'this.takeReached(above, ({ price }) => price <= high, market, high, time);',
    becomes: 'this.takeReached(above, ({ price }) => price < high - 100, market, high, time);',
    catcher: {
      file: WEBHOOKS,
      test: 'triggers once, by the first trade at its price or beyond',
    },
    isSilence: true,
  },
  {
    name: 'a deprecated address of IPv6 leads into the network',
    file: 'src/delivery/targets.ts',
    text: "return isGlobal && found.range() === 'unicast';",
    becomes: "return found.range() === 'unicast';",
    catcher: {
      file: DELIVERY,
      test: 'the address ::7f00:1 is refused, in a URL and as the address of a name',
    },
  },
  {
    name: 'a name is resolved without a check of its address',
    file: 'src/delivery/targets.ts',
    text: 'const usable = found.filter(({ address }) => isReachable(address, rules, isSecure));',
    becomes: 'const usable = found;',
    catcher: {
      file: DELIVERY,
      test: 'a name that changes its address is checked each time, and only the checked address is used',
    },
  },
  {
    name: 'users see the earnings of other referrers',
    file: 'src/gateway/endpoints/referrals.ts',
    text: 'type: EntryType.referral,',
    becomes: 'type: undefined,',
    catcher: { file: FEES, test: 'a referrer sees what it earns, and no one else does' },
  },
  {
    name: 'the page shows a rebate in the asset received',
    file: 'web/trade/order-estimate.ts',
    text: 'const inBase = isBuy !== isRebate;',
    becomes: 'const inBase = isBuy;',
    catcher: {
      file: 'test/web/order-rules.test.ts',
      test: 'a rebate is in the asset given, rounded down, and no part of the proceeds',
    },
  },
];
