import type { Archivist } from '../../archivist/archivist.ts';
import { PastArchivist } from '../../archivist/past/past-archivist.ts';
import type { Replica } from '../../replica/replica.ts';
import type { Authorization } from '../auth/authorization.ts';
import type { Decision } from '../auth/decision.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { Call } from '../http/request/call.ts';
import type { PeerSource } from '../http/request/client-address.ts';
import { invalid, Query } from '../http/request/query.ts';
import type { Services } from '../services.ts';
import { readMoment } from './moment.ts';
import { type PastExchange, PastStates } from './past-states.ts';

const AT = 'at';

/** Turns requests with `at` into calls of the same endpoints on a past state. Only a sandbox has one. */
export class PastCalls {
  private readonly states: PastStates;

  constructor(
    private readonly services: Services,
    private readonly authorization: Pick<Authorization, 'countPast'>,
  ) {
    this.states = new PastStates(services);
  }

  /**
   * Handles an authorized call that asks for a past state, and counts it; only counts one that replays the log itself.
   * @returns Undefined if the call is one of the present.
   * @throws ApiError
   */
  handle(
    request: Request,
    peers: PeerSource,
    endpoint: Endpoint,
    decision: Decision,
    call: Call,
  ): Promise<string> | undefined {
    const { replaysLog, showsPast, handle } = endpoint;
    if (replaysLog) this.authorization.countPast(request, peers, decision);
    if (!showsPast || !isAsked(request.url)) return undefined;
    const reader = this.authorization.countPast(request, peers, decision);
    return this.toPast(request.url, call, reader).then(handle);
  }

  /**
   * Returns the call on the state that a request asks for.
   * @param present The call on the present state. @param reader Whose unanswered queries are limited.
   * @throws ApiError
   */
  private async toPast(url: string, present: Call, reader: string): Promise<Call> {
    const { services } = this;
    const { position, exchange } = services.replica;
    const all = readParameters(url);
    const [at, rest] = [true, false].map((isAt) => all.filter(([name]) => (name === AT) === isAt));
    const text = new Query(at!, [AT]).text(AT)!;
    const moment = readMoment(text, position, Math.max(services.now(), exchange.state.time));
    const past = await this.states.get(moment, reader);
    const { state } = past.exchange;
    const time = 'time' in moment ? Math.max(moment.time, state.time) : state.time;
    const call = new PastCall(pastServices(services, past, time), present, rest!);
    if (present.account !== undefined) call.account = findAccount(present, past);
    return call;
  }
}

function isAsked(url: string): boolean {
  return url.includes('at=') && readParameters(url).some(([name]) => name === AT);
}

function readParameters(url: string): [name: string, value: string][] {
  const start = url.indexOf('?');
  return start < 0 ? [] : [...new URLSearchParams(url.slice(start + 1))];
}

/** A request without its `at`. */
class PastCall extends Call {
  constructor(
    services: Services,
    { parameters }: Call,
    private readonly values: readonly (readonly [name: string, value: string])[],
  ) {
    super(services, parameters);
  }

  query(allowed: readonly string[]): Query {
    return new Query(this.values, allowed);
  }

  body(): never {
    throw new Error('a request for a past state has no body');
  }
}

/** Returns the services that endpoints with a past use. @param time The time that they show, milliseconds since 1970. */
function pastServices(services: Services, past: PastExchange, time: number): Services {
  const { exchange, position, queuePositions } = past;
  const { archivist, replica } = services;
  const history = new PastArchivist(archivist, replica.position, exchange.state);
  return {
    ...services,
    // These endpoints only read: they use nothing else of a replica and an archivist.
    replica: { exchange, position } as Replica,
    archivist: history as Pick<Archivist, 'query'> as Archivist,
    queuePositions,
    now: () => time,
  };
}

/** @throws ApiError INVALID_REQUEST if the account did not exist yet */
function findAccount({ account }: Call, { exchange }: PastExchange): Call['account'] {
  const found = exchange.state.accounts[account.index];
  if (found !== undefined) return found;
  const message = 'The account did not exist at this time. Choose a later one.';
  throw invalid(AT, 'accountExists', message);
}
