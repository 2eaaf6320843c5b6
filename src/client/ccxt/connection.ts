import {
  AuthenticationError,
  type BaseError,
  type Dict,
  type Exchange,
  ExchangeError,
  type Str,
  UnsubscribeError,
} from 'ccxt';
import { parseQuotingNumbers } from './exact-json.ts';
import { Requests, type Topic, topicKey } from './requests.ts';
import { Transfers } from './transfers.ts';

export type Client = ReturnType<Exchange['client']>;

const PRIVATE = ['orders', 'fills', 'balances'];
/** Channels that can resume after a sequence without missing messages. */
const RESUMED = [...PRIVATE, 'trades'];
const AUTH = 'auth';
const KEY_ENDED = 4001;

/** State of one connection. */
interface Session {
  readonly requests: Requests;
  /** Requested topics; `isLive` once the exchange has confirmed. */
  readonly topics: Map<string, { readonly topic: Topic; isLive: boolean }>;
  isAuthenticated: boolean;
  /** Whether the exchange has confirmed the requested authentication. */
  isConfirmed: boolean;
}

/** A topic that a call waits for, and the name under which its results are delivered. */
export interface Target {
  readonly topic: Topic;
  readonly hash: string;
}

/** A result, and the name under which it was delivered. */
export interface Delivery<Value> {
  readonly hash: string;
  readonly value: Value;
}

/** The streams of the exchange: one connection with its subscriptions and messages. */
export abstract class Connection extends Transfers {
  private readonly sessions = new WeakMap<Client, Session>();
  /** Last sequence received, by resumable channel. */
  private readonly sequences = new Map<string, number>();
  /** The last result of each name, unless a call has returned it. */
  private readonly unread = new Map<string, Delivery<unknown>>();

  /** Handles a message of a channel; passes results on with `deliver`. */
  protected abstract receive(client: Client, topic: Topic, message: Dict): void;

  /** Returns the next result of the topic, or what has arrived since the last call. */
  protected async listen<Value>(topic: Topic, hash = topicKey(topic)): Promise<Value> {
    const { value } = await this.listenToAny<Value>([{ topic, hash }]);
    return value;
  }

  /** Returns the next result of any of the targets, or what has arrived since the last call, and its name. */
  protected async listenToAny<Value>(targets: readonly Target[]): Promise<Delivery<Value>> {
    if (targets.some(({ topic }) => PRIVATE.includes(topic.channel))) {
      this.checkRequiredCredentials();
    }
    const url = this.streamUrl();
    const late = targets.find((target) => this.hasUnread(url, target));
    if (late !== undefined) return this.takeUnread(late.hash);
    const [hashes, keys] = [
      targets.map(({ hash }) => hash),
      targets.map(({ topic }) => topicKey(topic)),
    ];
    const future = this.watchMultiple(url, hashes, undefined, keys);
    for (const { topic } of targets) this.subscribe(this.client(url), topic);
    const delivery = (await future) as Delivery<Value>;
    this.unread.delete(delivery.hash);
    return delivery;
  }

  /** Unsubscribes; waiting calls get an UnsubscribeError. */
  protected async unsubscribeFrom(topic: Topic): Promise<true> {
    const url = this.streamUrl();
    const key = topicKey(topic);
    if (!this.isKnown(url, key)) return true;
    const client = this.client(url);
    const confirmUnsubscribed = client.future(`unsubscribe ${key}`);
    this.unsubscribe(client, topic);
    return confirmUnsubscribed;
  }

  protected async unsubscribeFromAll(topics: readonly Topic[]): Promise<true> {
    await Promise.all(topics.map((topic) => this.unsubscribeFrom(topic)));
    return true;
  }

  /** Whether the current connection, if any, has requested the topic. */
  private isKnown(url: string, key: string): boolean {
    const client = this.clients[url];
    return client !== undefined && this.session(client).topics.has(key);
  }

  /** Resolves all waiting calls, or keeps the value for the next call. */
  protected deliver(client: Client, hash: string, value: unknown): void {
    const delivery = { hash, value };
    // Kept in any case: a call that waited for one of several names may have got another one.
    this.unread.set(hash, delivery);
    client.resolve(delivery, hash);
  }

  /** Connects if necessary, and returns the authenticated connection. */
  protected async authenticatedClient(): Promise<Client> {
    this.checkRequiredCredentials();
    const url = this.streamUrl();
    const isNew = this.clients[url] === undefined;
    const client = this.client(url);
    const session = this.session(client);
    if (session.isConfirmed) return client;
    // Rejected if the connection fails, unlike the promise of `connect`.
    const authenticated = client.future(AUTH);
    this.authenticate(session);
    client.connect(isNew ? this.calculateWsBackoffDelay(url) : 0);
    await authenticated;
    return client;
  }

  /** Marks the topic as read. */
  protected markSeen(hash: string): void {
    this.unread.delete(hash);
  }

  override client(url: Str): Client {
    const isNew = this.clients[url ?? ''] === undefined;
    const client = super.client(url);
    if (isNew) this.prepare(client);
    return client;
  }

  /** CCXT rejects plain ws:// unless an agent, needed only for proxies, was loaded. */
  override getHttpAgentIfNeeded(_url: string) {
    return this.httpAgent;
  }

  override ping(_client: Client): Dict {
    return { op: 'ping' };
  }

  override cleanWsData(): void {
    super.cleanWsData();
    this.sequences.clear();
    this.unread.clear();
  }

  override handleMessage(client: Client, message: Dict): void {
    const { op, channel, symbol, interval } = message;
    const { requests } = this.session(client);
    if (op === 'pong') client.onPong();
    else if (op === 'error') this.handleError(client, message);
    else if (op === 'snapshot' || op === 'update') {
      this.handleChannelMessage(client, topicKey({ channel, symbol, interval }), message);
    } else if (requests.isAnswer(op)) {
      const { key } = requests.end()!;
      if (op === 'unsubscribed') this.left(client, key);
      else if (op === 'authenticated') {
        this.session(client).isConfirmed = true;
        client.resolve(true, AUTH);
      }
    }
  }

  /** Handles a channel message, whose sequence must follow the last one. */
  private handleChannelMessage(client: Client, key: string, message: Dict): void {
    const { requests, topics } = this.session(client);
    const isAnswer = requests.isAnswer(message.op, key);
    if (isAnswer) requests.end();
    const subscription = topics.get(key);
    if (subscription === undefined) return;
    subscription.isLive ||= isAnswer;
    // Sent before the exchange got our new subscription.
    if (!subscription.isLive) return;
    const sequence = this.safeInteger(message, 'sequence');
    if (sequence !== undefined) {
      const previous = this.safeInteger(message, 'prevSequence');
      if (message.op === 'update' && previous !== this.sequences.get(key)) {
        this.renew(client, subscription.topic);
        return;
      }
      this.sequences.set(key, sequence);
    }
    this.receive(client, subscription.topic, message);
  }

  private subscribe(client: Client, topic: Topic): void {
    const key = topicKey(topic);
    const session = this.session(client);
    if (session.topics.has(key)) return;
    if (PRIVATE.includes(topic.channel)) this.authenticate(session);
    session.topics.set(key, { topic, isLive: false });
    const sequence = RESUMED.includes(topic.channel) ? this.sequences.get(key) : undefined;
    session.requests.add({
      message: { op: 'subscribe', ...topic, ...(sequence === undefined ? {} : { sequence }) },
      answers: ['snapshot', 'update'],
      key,
    });
  }

  private unsubscribe(client: Client, topic: Topic): void {
    const message = { op: 'unsubscribe', ...topic };
    this.session(client).requests.add({ message, answers: ['unsubscribed'], key: topicKey(topic) });
  }

  /** Resumes after a gap, or subscribes from a new snapshot. */
  private renew(client: Client, topic: Topic): void {
    this.unsubscribe(client, topic);
    this.session(client).topics.delete(topicKey(topic));
    this.subscribe(client, topic);
  }

  private authenticate(session: Session): void {
    if (session.isAuthenticated) return;
    session.isAuthenticated = true;
    const message = { op: 'auth', apiKey: this.apiKey, apiSecret: this.secret };
    // Orders wait for it, so it does not wait for subscriptions.
    session.requests.addFirst({ message, answers: ['authenticated'], key: AUTH });
  }

  /**
   * Handles an error. If it names a topic, it has ended that subscription; otherwise it concerns the pending
   * request, or if there is none, the connection.
   */
  private handleError(client: Client, message: Dict): void {
    const { error, channel, symbol, interval, retryAfter } = message;
    const session = this.session(client);
    const thrown = this.toError(error, retryAfter);
    const named = channel === undefined ? undefined : topicKey({ channel, symbol, interval });
    if (named !== undefined && !session.requests.isAnswer('snapshot', named)) {
      if (session.topics.get(named)?.isLive) this.fail(client, named, thrown);
      return;
    }
    const request = session.requests.end();
    if (request === undefined) client.reject(thrown);
    else if (request.key === AUTH) {
      session.isAuthenticated = false;
      session.requests.drop(({ key }) => PRIVATE.includes(key));
      if (AUTH in client.futures) client.reject(thrown, AUTH);
      for (const key of PRIVATE) this.fail(client, key, thrown);
    } else if (error.details?.field === 'sequence' && request.message.sequence !== undefined) {
      // The sequence is of another exchange, such as a sandbox that was reset.
      this.sequences.delete(request.key);
      const { op, sequence, ...topic } = request.message;
      if (session.topics.delete(request.key)) this.subscribe(client, topic as Topic);
    } else this.fail(client, request.key, thrown);
  }

  private fail(client: Client, key: string, error: Error): void {
    const isKnown = this.session(client).topics.delete(key);
    delete client.subscriptions[key];
    if (!isKnown) return;
    const waited = Object.keys(client.futures).filter((hash) => isSubscribed(key, hash));
    for (const hash of waited.length > 0 ? waited : [key]) client.reject(error, hash);
  }

  private left(client: Client, key: string): void {
    const hash = `unsubscribe ${key}`;
    if (!(hash in client.futures)) return;
    this.fail(client, key, new UnsubscribeError(`${this.id} ${key}`));
    delete client.rejections[key];
    this.sequences.delete(key);
    for (const name of this.unread.keys()) if (isSubscribed(key, name)) this.unread.delete(name);
    client.resolve(true, hash);
  }

  /** @param retryAfter Seconds until the next attempt makes sense. */
  protected toError(error: Dict, retryAfter?: string): BaseError {
    const message = `${this.id} ${this.json(error)}`;
    return this.toKnownError(error, message, retryAfter) ?? new ExchangeError(message);
  }

  /** Whether something was delivered that is still true, or not repeated. */
  private hasUnread(url: string, { topic, hash }: Target): boolean {
    const isMissedOtherwise = RESUMED.includes(topic.channel) || this.isKnown(url, topicKey(topic));
    return this.unread.has(hash) && isMissedOtherwise;
  }

  private takeUnread<Value>(hash: string): Delivery<Value> {
    const delivery = this.unread.get(hash) as Delivery<Value>;
    this.unread.delete(hash);
    return delivery;
  }

  private session(client: Client): Session {
    return this.sessions.get(client)!;
  }

  /** CCXT would parse numbers as doubles, and treat a revoked key as a network failure. */
  private prepare(client: Client): void {
    const send = async (message: Dict) => {
      try {
        const signer = message.op === AUTH ? this.getSigner() : undefined;
        await client.send(signer === undefined ? message : await signer.authMessage());
      } catch (error) {
        client.onError(error);
      }
    };
    const requests = new Requests(send, client.connected);
    const state = { isAuthenticated: false, isConfirmed: false };
    this.sessions.set(client, { requests, topics: new Map(), ...state });
    client.onMessage = ({ data }: { data: unknown }) => {
      try {
        const message = parseQuotingNumbers(String(data)) as Dict;
        if (client.verbose) client.log(new Date(), 'onMessage', message);
        this.handleMessage(client, message);
      } catch (error) {
        client.reject(error);
      }
    };
    const { onClose } = client;
    client.onClose = (event: { code: number; reason: string }) => {
      if (event.code === KEY_ENDED) {
        client.reset(new AuthenticationError(`${this.id} ${event.reason}`));
      }
      onClose.call(client, event);
    };
  }

  private streamUrl(): string {
    const account = this.safeString(this.options, 'account');
    const query = account === undefined ? '' : `?account=${encodeURIComponent(account)}`;
    return `${this.baseUrl().replace(/^http/, 'ws')}/ws${query}`;
  }
}

/** Whether calls wait for the topic under this name: its key, possibly followed by a market. */
function isSubscribed(key: string, hash: string): boolean {
  return `${hash} `.startsWith(`${key} `);
}
