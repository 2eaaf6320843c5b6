import type { ApiKey } from '../../../engine/ledger/accounts.ts';
import { ApiError } from '../../http/response/errors.ts';
import { sendSoon } from '../../stream/sockets/outgoing.ts';
import type { Dialect } from '../dialect.ts';
import { BinanceError } from '../errors.ts';
import type { Parameters } from '../parameters.ts';
import { SIGNATURE_PARAMETERS } from '../security.ts';
import type { ApiSocket } from '../sockets/socket.ts';
import { inTimeUnit } from '../time-unit.ts';
import { signedPayload } from './request.ts';

/** Maximum active subscriptions of a connection. */
const MAX_SUBSCRIPTIONS = 1000;
/** Maximum subscriptions of a connection over its lifetime. */
const MAX_SUBSCRIPTION_IDS = 65_535;

/** The methods of the WebSocket API that subscribe to user data streams (web-socket-api.md, "User Data Stream requests"). */
export class ApiSubscriptions {
  constructor(private readonly dialect: Dialect) {}

  /** `userDataStream.subscribe`. @throws BinanceError or ApiError */
  async begin(socket: ApiSocket, given: Parameters): Promise<string> {
    given.checkAllRead();
    const { session } = socket.data;
    if (session === undefined) throw new ApiError('UNAUTHORIZED');
    await this.dialect.services.replica.whenCurrent();
    // The client may have logged out, or on with another key, in the meantime.
    if (socket.data.session !== session) throw new ApiError('UNAUTHORIZED');
    return this.add(socket, session.key, true);
  }

  /** `userDataStream.subscribe.signature`. @throws BinanceError or ApiError */
  async beginSigned(socket: ApiSocket, given: Parameters): Promise<string> {
    const { from } = socket.data;
    const apiKey = given.value('apiKey');
    const signed = await this.dialect.verify(apiKey, given, signedPayload(given), from);
    given.ignore(...SIGNATURE_PARAMETERS);
    given.checkAllRead();
    return this.add(socket, signed.key, false);
  }

  /** `userDataStream.unsubscribe`: ends one subscription, or all. @throws BinanceError -2036 */
  end({ data }: ApiSocket, given: Parameters): string {
    const id = given.integer('subscriptionId');
    given.checkAllRead();
    const ids = id === undefined ? [...data.subscriptions.keys()] : [id];
    for (const each of ids) {
      const subscription = data.subscriptions.get(each);
      if (subscription === undefined) {
        throw new BinanceError(-2036, 'User Data Stream subscription not active.');
      }
      subscription.end();
    }
    return '{}';
  }

  /** Ends the subscriptions that `session.logon` authorized. */
  endOfSession({ data }: ApiSocket): void {
    for (const { isOfSession, end } of [...data.subscriptions.values()]) if (isOfSession) end();
  }

  /** `session.subscriptions`. */
  list({ data }: ApiSocket, given: Parameters): string {
    given.checkAllRead();
    const texts = [...data.subscriptions.keys()].map((id) => `{"subscriptionId":${id}}`);
    return `[${texts.join(',')}]`;
  }

  private add(socket: ApiSocket, key: ApiKey, isOfSession: boolean): string {
    const { data } = socket;
    const { address } = data.from;
    const { userData, services } = this.dialect;
    userData.checkPermission(key, address);
    if (socket.readyState !== WebSocket.OPEN) throw new ApiError('UNAUTHORIZED');
    for (const other of data.subscriptions.values()) {
      if (other.key.account !== key.account) continue;
      throw new BinanceError(-2035, 'User Data Stream subscription already active.');
    }
    const id = data.nextSubscriptionId;
    if (id >= MAX_SUBSCRIPTION_IDS || data.subscriptions.size >= MAX_SUBSCRIPTIONS) {
      throw new BinanceError(-2042, 'Maximum subscription ID reached for this connection.');
    }
    const send = (event: string) => {
      sendSoon(socket, `{"subscriptionId":${id},"event":${inTimeUnit(data, event)}}`);
    };
    const onEnd = () => {
      data.subscriptions.delete(id);
      send(`{"e":"eventStreamTerminated","E":${services.now()}}`);
    };
    const unsubscribe = userData.subscribe({ key, address, listenKey: undefined, send, onEnd });
    const end = () => {
      unsubscribe();
      onEnd();
    };
    data.owner = key;
    data.nextSubscriptionId++;
    data.subscriptions.set(id, { key, isOfSession, end });
    return `{"subscriptionId":${id}}`;
  }
}
