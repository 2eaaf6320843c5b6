import { expect, spyOn, test } from 'bun:test';
import { ResilientConsumer, type ResilientConsumerOptions } from './resilient-consumer.ts';

/** An async iterable like the NATS client's status. */
class Statuses {
  private readonly queue: { type: string; count?: number }[] = [];
  private wake = () => {};

  emit(type: string, count = 0): void {
    this.queue.push({ type, count });
    this.wake();
  }

  async *[Symbol.asyncIterator]() {
    for (;;) {
      while (this.queue.length > 0) yield this.queue.shift()!;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }
}

interface FakeConsumer {
  readonly statuses: Statuses;
  emit(seq: number): void;
}

/** A stand-in for a connection and its consumers. */
class Servers {
  readonly connectionStatuses = new Statuses();
  readonly consumers: FakeConsumer[] = [];
  readonly requestedAfter: number[] = [];
  readonly withinMs: number[] = [];
  readonly taken: number[] = [];
  readonly warnings: string[] = [];
  isClosed = false;
  /** Number of requests for a consumer that fail because there is no leader. */
  refusals = 0;
  private onRequest: () => void = () => {};
  private onEnd: (reason: string) => void = () => {};
  readonly end = new Promise<string>((resolve) => {
    this.onEnd = resolve;
  });

  readonly options = {
    connection: { isClosed: () => this.isClosed, status: () => this.connectionStatuses },
    consumer: async (after: number, withinMs: number) => {
      this.withinMs.push(withinMs);
      this.requestedAfter.push(after);
      this.onRequest();
      if (this.refusals-- > 0) throw new Error('no leader');
      return { consume: async ({ callback }: { callback: Callback }) => this.consume(callback) };
    },
    pull: {},
    take: ({ seq }: { seq: number }) => this.taken.push(seq),
    onEnd: (reason: string) => this.onEnd(reason),
    warn: (message: string) => this.warnings.push(message),
  } as unknown as ResilientConsumerOptions;

  /** Resolves once this many consumers have been requested. */
  async waitForRequests(times: number): Promise<void> {
    while (this.requestedAfter.length < times) {
      await new Promise<void>((resolve) => {
        this.onRequest = resolve;
      });
    }
    await Bun.sleep(0);
  }

  private consume(callback: Callback) {
    const statuses = new Statuses();
    this.consumers.push({ statuses, emit: (seq) => callback({ seq }) });
    return { status: () => statuses, closed: () => new Promise(() => {}), close() {} };
  }
}

type Callback = (message: { seq: number }) => void;

test('a new consumer continues after the last message, and the old one is ignored', async () => {
  const servers = new Servers();
  const following = await ResilientConsumer.begin(servers.options, 3);
  const [first] = servers.consumers;
  first!.emit(4);
  first!.emit(5);
  servers.refusals = 1;
  first!.statuses.emit('heartbeats_missed', 4);
  await servers.waitForRequests(3);
  first!.emit(6);
  servers.consumers[1]!.emit(6);
  expect(servers.requestedAfter).toEqual([3, 5, 5]);
  expect(servers.taken).toEqual([4, 5, 6]);
  following.close();
});

test('after a consumer that started with older messages, the next one starts after the newest', async () => {
  const servers = new Servers();
  const following = await ResilientConsumer.begin(servers.options, 5);
  servers.consumers[0]!.emit(4);
  servers.connectionStatuses.emit('disconnect');
  servers.connectionStatuses.emit('reconnect');
  await servers.waitForRequests(2);
  expect(servers.requestedAfter).toEqual([5, 5]);
  following.close();
});

test('a connection that is closed while a consumer is being created is reported', async () => {
  const servers = new Servers();
  const following = await ResilientConsumer.begin(servers.options, 0);
  servers.refusals = Number.POSITIVE_INFINITY;
  servers.connectionStatuses.emit('reconnect');
  await servers.waitForRequests(2);
  servers.isClosed = true;
  expect(await servers.end).toBe('its connection was closed');
  following.close();
});

test('dropped messages are requested again from a new consumer', async () => {
  const servers = new Servers();
  const following = await ResilientConsumer.begin(servers.options, 0);
  for (const seq of [1, 2, 3]) servers.consumers[0]!.emit(seq);
  following.renewAfter(1);
  servers.consumers[0]!.emit(4);
  await servers.waitForRequests(2);
  for (const seq of [2, 3, 4]) servers.consumers[1]!.emit(seq);
  expect([servers.requestedAfter, servers.taken]).toEqual([
    [0, 1],
    [1, 2, 3, 2, 3, 4],
  ]);
  following.close();
});

test('a consumer requested before that is ignored', async () => {
  const servers = new Servers();
  const following = await ResilientConsumer.begin(servers.options, 0);
  for (const seq of [1, 2, 3]) servers.consumers[0]!.emit(seq);
  servers.connectionStatuses.emit('reconnect');
  await Promise.resolve();
  following.renew();
  following.renewAfter(1);
  await servers.waitForRequests(3);
  expect(servers.requestedAfter).toEqual([0, 3, 1]);
  servers.consumers[1]!.emit(4);
  servers.consumers[2]!.emit(2);
  expect(servers.taken).toEqual([1, 2, 3, 2]);
  following.close();
});

test('a warning names why no consumer can be created, after ten seconds, once', async () => {
  const servers = new Servers();
  const following = await ResilientConsumer.begin(servers.options, 0);
  servers.refusals = Number.POSITIVE_INFINITY;
  let nowMs = 0;
  const clock = spyOn(performance, 'now').mockImplementation(() => nowMs);
  try {
    following.renew();
    await servers.waitForRequests(2);
    nowMs = 9_999;
    await servers.waitForRequests(3);
    expect(servers.warnings).toEqual([]);
    nowMs = 10_000;
    await servers.waitForRequests(6);
  } finally {
    clock.mockRestore();
  }
  expect(servers.warnings).toEqual([
    expect.stringMatching(/^The log in NATS could not be read for 10 s \(no leader\)/),
  ]);
  following.close();
});

test('the timeout for a consumer starts at an eighth of a second and doubles each time', async () => {
  const servers = new Servers();
  const following = await ResilientConsumer.begin(servers.options, 0);
  servers.refusals = 4;
  following.renew();
  await servers.waitForRequests(6);
  expect(servers.withinMs).toEqual([1000, 125, 250, 500, 1000, 1000]);
  following.close();
});
