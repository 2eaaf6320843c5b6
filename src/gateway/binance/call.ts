import type { Authorization } from '../auth/authorization.ts';
import type { VerifiedRequest } from '../auth/signed-requests.ts';
import type { JsonObject } from '../http/json.ts';
import { Call } from '../http/request/call.ts';
import { Query } from '../http/request/query.ts';
import type { Services } from '../services.ts';
import type { BinanceLimits, OrderCounts, Usage } from './limits.ts';
import type { Parameters } from './parameters.ts';
import type { Symbols } from './symbols.ts';
import type { UserData } from './user-data/user-data.ts';

/** The parts of the dialect that requests use. */
interface DialectParts {
  readonly services: Services;
  readonly authorization: Authorization;
  readonly symbols: Symbols;
  readonly limits: BinanceLimits;
  readonly userData: UserData;
}

const NO_PARAMETERS = {};

/** A request of the dialect, over HTTP or its WebSocket API. Its handler reads `given`. */
export class BinanceCall extends Call {
  /** A request never executes after its window (rest-api.md, "Timing security"). */
  override readonly limitsCancels = true;
  /** The signed request; undefined on endpoints without a signature, and on connections that are logged on. */
  signed: VerifiedRequest | undefined;
  /** The client's own address, once the request is authorized. */
  address = '';
  /** The weight that the client's address has used, this request included. */
  weight: Usage | undefined;
  /** The account's orders, if the request counts as some. */
  orderCounts: OrderCounts | undefined;

  constructor(
    private readonly dialect: DialectParts,
    readonly given: Parameters,
    /** The scope of the client's address, in which weight is counted. */
    readonly scope: string,
  ) {
    super(dialect.services, NO_PARAMETERS);
  }

  get symbols(): Symbols {
    return this.dialect.symbols;
  }

  get limits(): BinanceLimits {
    return this.dialect.limits;
  }

  get userData(): UserData {
    return this.dialect.userData;
  }

  /**
   * Uses a signed request whose copy would act again.
   * @throws ApiError INVALID_REQUEST if it was used before, or its window has ended
   */
  async useOnce(): Promise<void> {
    if (this.signed !== undefined) await this.dialect.authorization.useSignature(this.signed);
  }

  query(): Query {
    return new Query([], []);
  }

  body(): JsonObject {
    return Object.create(null) as JsonObject;
  }
}
