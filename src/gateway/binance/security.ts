import { type ApiKey, isInForce } from '../../engine/ledger/accounts.ts';
import type { Authorization, StreamOrigin } from '../auth/authorization.ts';
import { checkWindow, type Deadline, FIELDS, MAX_RECV_WINDOW_MS } from '../auth/signatures.ts';
import type { VerifiedRequest } from '../auth/signed-requests.ts';
import { ApiError } from '../http/response/errors.ts';
import type { Services } from '../services.ts';
import { BinanceError, invalidSignature, outsideWindow } from './errors.ts';
import { illegal, type Parameters } from './parameters.ts';

const DEFAULT_RECV_WINDOW_MS = 5000;
const RECV_WINDOW = /^\d{1,5}(\.\d{1,3})?$/;
/** The parameters that a signature adds to those of an endpoint. */
export const SIGNATURE_PARAMETERS = ['timestamp', 'recvWindow', 'signature'] as const;

/** Authorizes signed requests of the dialect (rest-api.md, "SIGNED Endpoint security"). */
export class Security {
  constructor(
    private readonly services: Services,
    private readonly authorization: Authorization,
  ) {}

  /**
   * Returns the request of the key that signed a payload.
   * @param apiKey Undefined if missing.
   * @param payload The bytes that were signed, as the client sent them.
   * @throws BinanceError -1021, -1022, -1102, -1131, -2014, -2015
   */
  verify(
    apiKey: string | undefined,
    given: Parameters,
    payload: Uint8Array,
    from: StreamOrigin,
  ): VerifiedRequest | Promise<VerifiedRequest> {
    if (!apiKey) throw new BinanceError(-2014, 'API-key format invalid.', 401);
    const signature = given.required('signature');
    const timestamp = readTimestamp(given);
    const recvWindow = readRecvWindow(given);
    const sent = { apiKey, text: payload, signature, timestamp, recvWindow };
    const rethrow = (error: unknown): never => {
      if (!(error instanceof ApiError)) throw error;
      throw this.translate(error, apiKey, timestamp - (from.skewMs ?? 0));
    };
    try {
      const verifying = this.authorization.verifyStreamPayload(sent, from);
      return verifying instanceof Promise ? verifying.catch(rethrow) : verifying;
    } catch (error) {
      return rethrow(error);
    }
  }

  /**
   * Returns the key of the header X-MBX-APIKEY, for endpoints that need no signature. It must be one that could sign: the id
   * of a key with a secret that is sent along is only half of a credential.
   * @throws BinanceError -2014, -2015
   */
  findKey(apiKey: string | undefined, from: StreamOrigin): ApiKey {
    if (!apiKey) throw new BinanceError(-2014, 'API-key format invalid.', 401);
    const { state } = this.services.replica.exchange;
    const key = state.keysByApiKey.get(apiKey);
    const now = Math.max(this.services.now(), state.time);
    const isValid = key !== undefined && isInForce(key, now) && maySign(key, this.services);
    return this.authorization.streams.checkKey(isValid ? key : undefined, from);
  }

  /**
   * Returns the deadline of a request on a connection that is logged on: it needs no signature, but has a window
   * (web-socket-api.md, "Authenticate after connection").
   * @param skewMs How far the clock that the client sees is ahead.
   * @throws BinanceError -1021, -1102, -1131
   */
  readDeadline(given: Parameters, skewMs: number): Deadline {
    const timestamp = readTimestamp(given);
    const recvWindow = readRecvWindow(given);
    const now = this.services.now();
    try {
      return { at: checkWindow(timestamp, recvWindow, FIELDS, now, skewMs), names: FIELDS };
    } catch {
      throw outsideWindow(timestamp - skewMs > now);
    }
  }

  private translate(error: ApiError, apiKey: string, timestamp: number): Error {
    const { rule, field } = error.details;
    if (rule === 'recvWindow') return outsideWindow(timestamp > this.services.now());
    const isKnown = this.services.replica.exchange.state.keysByApiKey.has(apiKey);
    const isWrong = field === 'signature' || (error.code === 'UNAUTHORIZED' && isKnown);
    return isWrong ? invalidSignature() : error;
  }
}

/** Returns whether a key can sign requests: with Ed25519, or with HMAC unless the operator refuses that. */
export function maySign(
  { publicKey, sealedSecret }: ApiKey,
  { sealedSecrets }: Pick<Services, 'sealedSecrets'>,
): boolean {
  return publicKey !== undefined || (sealedSecret !== undefined && sealedSecrets !== undefined);
}

/** Returns milliseconds since 1970, with a fraction if the client sent microseconds. */
function readTimestamp(given: Parameters): number {
  given.required('timestamp');
  return given.exactTime('timestamp')!;
}

function readRecvWindow(given: Parameters): number {
  const text = given.text('recvWindow');
  if (text === undefined) return DEFAULT_RECV_WINDOW_MS;
  if (!RECV_WINDOW.test(text)) throw illegal('recvWindow', '^[0-9]{1,5}(\\.[0-9]{1,3})?$');
  const recvWindow = Number(text);
  if (recvWindow === 0 || recvWindow > MAX_RECV_WINDOW_MS) {
    throw new BinanceError(-1131, `recvWindow must be less than ${MAX_RECV_WINDOW_MS}.`);
  }
  return recvWindow;
}
