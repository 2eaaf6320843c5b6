import type { ExactClient } from '../../client/exact-client.ts';
import { numberText } from '../../client/exact-number.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Result } from '../command.ts';
import { online } from '../connection.ts';
import { FORMS } from '../forms.ts';
import { printable, table } from '../text.ts';

/** Price alerts, notices and webhooks of the key's account. */
export const notificationCommands: readonly Command[] = [
  online({
    name: 'alert list',
    positionals: [],
    options: [],
    summary: "list the price alerts of the key's account",
    run: listAlerts,
  }),
  online({
    name: 'alert create',
    positionals: ['SYMBOL', 'DIRECTION', 'PRICE'],
    options: [{ name: 'note', value: 'TEXT', help: 'a text for yourself', form: FORMS.label }],
    summary: 'create a price alert, which triggers once',
    run: createAlert,
  }),
  online({
    name: 'alert delete',
    positionals: ['ALERT'],
    options: [],
    summary: 'delete a price alert',
    run: deleteAlert,
  }),
  online({
    name: 'notice list',
    positionals: [],
    options: [
      { name: 'limit', value: 'N', help: 'notices, 1 to 1000 (default 100)', form: FORMS.pageSize },
    ],
    summary: "list the notices of the key's account, newest first",
    run: listNotices,
  }),
  online({
    name: 'webhook list',
    positionals: [],
    options: [],
    summary: "list the webhooks of the key's account",
    run: listWebhooks,
  }),
  online({
    name: 'webhook create',
    positionals: ['URL'],
    options: [
      {
        name: 'event',
        value: 'NAME',
        help: 'an event such as order.filled, or order.*; repeat for more (default: all)',
        isRepeatable: true,
        form: FORMS.event,
      },
      { name: 'label', value: 'TEXT', help: 'a name by which you recognize it', form: FORMS.label },
    ],
    summary: 'create a webhook and print its secret',
    run: createWebhook,
  }),
  online({
    name: 'webhook test',
    positionals: ['WEBHOOK'],
    options: [],
    summary: 'send a test event to a webhook',
    run: testWebhook,
  }),
  online({
    name: 'webhook deliveries',
    positionals: ['WEBHOOK'],
    options: [],
    summary: 'list the last deliveries of a webhook, newest first',
    run: listDeliveries,
  }),
  online({
    name: 'webhook pause',
    positionals: ['WEBHOOK'],
    options: [],
    summary: 'pause a webhook',
    run: (args, client) => setStatus(args, client, 'paused'),
  }),
  online({
    name: 'webhook resume',
    positionals: ['WEBHOOK'],
    options: [],
    summary: 'resume a webhook where it stopped',
    run: (args, client) => setStatus(args, client, 'active'),
  }),
  online({
    name: 'webhook delete',
    positionals: ['WEBHOOK'],
    options: [],
    summary: 'delete a webhook and its log',
    run: deleteWebhook,
  }),
];

async function listAlerts(_args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.listPriceAlerts();
  const rows = data.alerts.map(({ id, symbol, direction, price, triggeredAt, note }) => {
    return [id, symbol, direction, price, triggeredAt ?? 'waiting', printable(note)];
  });
  const columns = ['ALERT', 'MARKET', 'DIRECTION', 'PRICE', 'TRIGGERED', 'NOTE'];
  return { data, text: rows.length === 0 ? 'There are no price alerts.' : table(columns, rows) };
}

async function createAlert(args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.createPriceAlert({
    symbol: args.positional('SYMBOL'),
    direction: args.positional('DIRECTION') as 'above' | 'below',
    price: args.positional('PRICE'),
    note: args.option('note'),
  });
  const { id, symbol, direction, price } = data.alert;
  return { data, text: `Created alert ${id}: ${symbol} ${direction} ${numberText(price)}.` };
}

async function deleteAlert(args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.deletePriceAlert({ id: args.positional('ALERT') });
  return { data, text: `Deleted alert ${data.alert.id}.` };
}

async function listNotices(args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.listNotices({ limit: args.integer('limit') });
  const rows = data.notices.map(({ id, timestamp, event, read, data: about }) => {
    const subject = about.orderId ?? about.id ?? '';
    return [id, timestamp, event, read ? 'read' : 'unread', printable(`${subject}`)];
  });
  const columns = ['NOTICE', 'TIME', 'EVENT', 'STATUS', 'SUBJECT'];
  return { data, text: rows.length === 0 ? 'There are no notices.' : table(columns, rows) };
}

async function listWebhooks(_args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.listWebhooks();
  const rows = data.webhooks.map(({ id, status, events, url, lastError }) => {
    return [id, status, events.join(','), printable(url), printable(lastError ?? '')];
  });
  const columns = ['WEBHOOK', 'STATUS', 'EVENTS', 'URL', 'LAST ERROR'];
  return { data, text: rows.length === 0 ? 'There are no webhooks.' : table(columns, rows) };
}

async function createWebhook(args: Arguments, client: ExactClient): Promise<Result> {
  const events = args.all('event');
  const data = await client.createWebhook({
    url: args.positional('URL'),
    events: events.length === 0 ? ['*'] : [...events],
    label: args.option('label'),
  });
  const { id, url } = data.webhook;
  return { data, text: `Created webhook ${id} to ${printable(url)}.\nSecret: ${data.secret}` };
}

async function testWebhook(args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.testWebhook({ id: args.positional('WEBHOOK') });
  const { accepted, status, error, durationMs } = data.delivery;
  const text = accepted
    ? `The receiver accepted the test event with ${status}, after ${durationMs} ms.`
    : `The test event was not accepted: ${printable(error ?? '')}.`;
  return { data, text };
}

async function listDeliveries(args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.listDeliveries({ id: args.positional('WEBHOOK') });
  const rows = data.deliveries.map(({ timestamp, eventId, event, attempt, accepted, error }) => {
    return [timestamp, event, eventId, attempt, accepted ? 'accepted' : printable(error ?? '')];
  });
  const columns = ['TIME', 'EVENT', 'ID', 'ATTEMPT', 'OUTCOME'];
  return { data, text: rows.length === 0 ? 'Nothing was sent yet.' : table(columns, rows) };
}

async function setStatus(
  args: Arguments,
  client: ExactClient,
  status: 'active' | 'paused',
): Promise<Result> {
  const data = await client.changeWebhook({ id: args.positional('WEBHOOK'), status });
  return { data, text: `Webhook ${data.webhook.id} is ${data.webhook.status}.` };
}

async function deleteWebhook(args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.deleteWebhook({ id: args.positional('WEBHOOK') });
  return { data, text: `Deleted webhook ${data.webhook.id}.` };
}
