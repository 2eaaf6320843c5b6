import { type ApiKey, isInForce } from '../../engine/ledger/accounts.ts';
import { addressScope } from '../http/request/client-address.ts';
import { ApiError } from '../http/response/errors.ts';
import { FloodRejections } from '../limits/delayed-rejections.ts';
import { OrderIntake } from '../limits/order-intake.ts';
import type { AccountWindows, AddressWindows } from '../limits/rate-limit.ts';
import type { Windows } from '../limits/windows.ts';
import type { Services } from '../services.ts';
import type { AllowLists } from './allow-lists.ts';
import type { Caller, SessionCaller } from './caller.ts';
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
    private readonly allowLists: AllowLists,
  ) {
    this.intake = new OrderIntake(services);
  }

  /** Counts requests of an operation. @returns The state of its window */
  count(caller: Caller, endpoint: number, requests: number): AccountWindows | AddressWindows {
    return this.windows.takeFurther(caller, endpoint, requests, this.services.now());
  }

  /**
   * Returns why an operation that was counted is not authorized, or undefined if it is.
   * @param address The client's own address, not that of a proxy
   */
  authorize(caller: Caller, access: Access, address: string): ApiError | undefined {
    const required = missingPermission(caller.permissions, access);
    if (required !== undefined) {
      return new ApiError('INSUFFICIENT_PERMISSIONS', undefined, { required });
    }
    const error = this.recheck(caller, access, address);
    if (error === undefined && !('session' in caller)) {
      this.services.keyUses.note(caller, this.services.now());
    }
    return error;
  }

  /** Returns why an authorized operation may no longer be executed, or undefined. */
  recheck(caller: Caller, access: Access, address: string): ApiError | undefined {
    const error = 'session' in caller ? this.sessionError(caller) : this.checkKey(caller, address);
    return error ?? frozenError(caller.account, access);
  }

  private sessionError({ session }: SessionCaller): ApiError | undefined {
    const isValid = this.services.users.sessions.isInForce(session);
    return isValid ? undefined : new ApiError('UNAUTHORIZED');
  }

  /**
   * Returns why an address may no longer use a key that it has authenticated with, or undefined if it may: the key may
   * have ended, or its allowlist may have been changed.
   */
  checkKey(key: ApiKey, address: string): ApiError | undefined {
    const { replica, now } = this.services;
    const time = Math.max(now(), replica.exchange.state.time);
    if (!isInForce(key, time)) return new ApiError('UNAUTHORIZED');
    return this.allowLists.allow(key, address) ? undefined : new ApiError('IP_NOT_ALLOWED');
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
