import { Client, type ClientOptions } from '../client/index.ts';

/** The numbers of accounts and orders that a test has created, which make ids that are the same each time. */
export interface Counts {
  accounts: number;
  orders: number;
}

/** A client whose orders have numbered ids instead of random ones, so that the same calls give the same log. */
export class TestClient extends Client {
  constructor(
    options: ClientOptions<false>,
    private readonly counts: Counts,
  ) {
    super(options);
  }

  override placeOrder(...[parameters, options]: Parameters<Client['placeOrder']>) {
    const clientOrderId = parameters.clientOrderId ?? `test-${++this.counts.orders}`;
    return super.placeOrder({ ...parameters, clientOrderId }, options);
  }
}
