import { Counter } from '../../monitoring/metrics.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { ApiError } from '../http/response/errors.ts';
import type { Services } from '../services.ts';
import { DelayedRejections } from './delayed-rejections.ts';

const OVERLOADED = new ApiError('OVERLOADED');
const DISK_FULL = new ApiError(
  'OVERLOADED',
  "The exchange's disk is full: new orders are rejected until the operator frees space. Cancels and reads work.",
);

/** Rejects new orders, after a delay, while none can be accepted. Cancels and reads always are. */
export class OrderIntake {
  readonly overloads = new Counter(
    'buttonwood_overload_refusals_total',
    'Order requests rejected because the exchange was overloaded or its disk full.',
  );
  private readonly rejections = new DelayedRejections();

  constructor(private readonly services: Pick<Services, 'replica' | 'disk'>) {}

  /** Returns undefined if the endpoint's orders are accepted now. @throws ApiError OVERLOADED */
  check({ takesOrders }: Pick<Endpoint, 'takesOrders'>): Promise<never> | undefined {
    if (!takesOrders) return undefined;
    if (this.services.disk?.isFull) return this.reject(DISK_FULL);
    return this.services.replica.isOverloaded ? this.reject(OVERLOADED) : undefined;
  }

  private async reject(error: ApiError): Promise<never> {
    this.overloads.add();
    await this.rejections.delay();
    throw error;
  }
}
