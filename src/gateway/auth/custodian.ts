import type { State } from '../../engine/state.ts';
import type { PeerSource } from '../http/request/client-address.ts';
import { ApiError } from '../http/response/errors.ts';
import type { Services } from '../services.ts';
import type { Authorization } from './authorization.ts';
import type { Decision } from './decision.ts';
import { readSignedHeaders, type SignedRequest, verifySignature } from './signatures.ts';
import { readTarget, signedText } from './signed-text.ts';

/** The API key in the texts that the custodian signs. Real keys have another form. */
const CUSTODIAN_KEY_NAME = 'custodian';

/**
 * Reads the signature of a request of the custodian, which has the form of signed requests with API keys.
 * @throws ApiError UNAUTHORIZED without a signature or a custodian, INVALID_REQUEST outside of its window
 */
function readCustodian(headers: Headers, state: State, now: number): SignedRequest {
  const isSigned = headers.has('x-api-signature') && !headers.has('authorization');
  if (!isSigned || state.parts.custody.keyNumber === 0) throw new ApiError('UNAUTHORIZED');
  return readSignedHeaders(headers, CUSTODIAN_KEY_NAME, now);
}

/** Checks the signature. @throws ApiError UNAUTHORIZED */
function verifyCustodian(
  { parts }: State,
  method: string,
  target: string,
  signed: SignedRequest,
  body: Uint8Array | undefined,
): NonNullable<Decision['custodian']> {
  const { publicKey, keyNumber } = parts.custody.store.head;
  const text = signedText(method, target, signed, body);
  if (!verifySignature(publicKey, text, signed.signature)) throw new ApiError('UNAUTHORIZED');
  return { body, keyNumber };
}

/** Authorizes the requests of the custodian by their signatures; they are counted by their address. */
export class CustodianAuthorization {
  constructor(
    private readonly services: Services,
    private readonly authorization: Authorization,
  ) {}

  /** @param readBody Reads the body, which the signature covers; only called if the rest of the request has its form. */
  async authorize(
    request: Request,
    peers: PeerSource,
    endpoint: number,
    readBody: () => Promise<Uint8Array | ApiError | undefined>,
  ): Promise<Decision> {
    const { services, authorization } = this;
    const { state } = services.replica.exchange;
    try {
      const signed = readCustodian(request.headers, state, services.now());
      const body = await readBody();
      if (body instanceof ApiError) throw body;
      const custodian = verifyCustodian(state, request.method, readTarget(request), signed, body);
      return { ...authorization.authorizePublic(request, peers, endpoint), custodian };
    } catch (error) {
      return authorization.rejectByAddress(request, peers, endpoint, error);
    }
  }
}
