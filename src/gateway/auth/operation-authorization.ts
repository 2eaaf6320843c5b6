import { isInForce } from '../../engine/ledger/accounts.ts';
import { addressScope } from '../http/request/client-address.ts';
import { ApiError } from '../http/response/errors.ts';
import { FloodRejections } from '../limits/delayed-rejections.ts';
import { OrderIntake } from '../limits/order-intake.ts';
import type { AccountWindows, AddressWindows } from '../limits/rate-limit.ts';
import type { Windows } from '../limits/windows.ts';
import type { Services } from '../services.ts';
import type { Caller } from './caller.ts';
import { frozenError } from './decision.ts';
import { type Access, missingPermission } from './permissions.ts';

/** Authorizes operations of authenticated sockets, and paces rejections and new orders of sockets and requests. */
export class OperationAuthorization {
  /** Rejects new orders of requests and operations while none can be accepted. */
  readonly intake: OrderIntake;
  readonly floods = new FloodRejections();

  constructor(
    private readonly services: Services,
    private readonly windows: Windows,
  ) {
    this.intake = new OrderIntake(services);
  }

  /** Counts requests of an operation. @returns The state of its window */
  count(caller: Caller, endpoint: number, requests: number): AccountWindows | AddressWindows {
    return this.windows.takeFurther(caller, endpoint, requests, this.services.now());
  }

  /** Returns why an operation that was counted is not authorized, or undefined if it is. */
  authorize(caller: Caller, access: Access): ApiError | undefined {
    const required = missingPermission(caller.permissions, access);
    if (required !== undefined) {
      return new ApiError('INSUFFICIENT_PERMISSIONS', undefined, { required });
    }
    const error = this.recheck(caller, access);
    if (error === undefined && !('session' in caller)) {
      this.services.keyUses.note(caller, this.services.now());
    }
    return error;
  }

  /** Returns why an authorized operation may no longer be executed, or undefined. */
  recheck(caller: Caller, access: Access): ApiError | undefined {
    const { users, replica, now } = this.services;
    const isValid =
      'session' in caller
        ? users.sessions.isInForce(caller.session)
        : isInForce(caller, Math.max(now(), replica.exchange.state.time));
    return isValid ? frozenError(caller.account, access) : new ApiError('UNAUTHORIZED');
  }

  /** Counts a rejected request or operation. @returns A delay for its response if its address floods the exchange */
  paceRejection(address: string): Promise<void> | undefined {
    const scope = addressScope(address);
    const isPrompt = this.windows.rejections.take(scope, 0, this.services.now());
    return isPrompt ? undefined : this.floods.delay(scope);
  }

  /** Counts an operation beyond those in progress. @returns Whether its address may send more */
  countExcess(address: string): boolean {
    return this.windows.excess.take(addressScope(address), 0, this.services.now());
  }
}
