import {
  ApiRequestError,
  type CallOptions,
  Client,
  type ClientOptions,
} from '../../client/index.ts';

type Route = Parameters<Client['call']>[0];

/**
 * A client whose requests reach the exchange in the same order in every run: one after the other. Orders without a
 * `clientOrderId` get the next one of a series.
 */
export class SequentialClient extends Client {
  private placed = 0;
  private last: Promise<unknown> = Promise.resolve();

  /** @param onRejected Called with the code of each rejection. */
  constructor(
    options: ClientOptions<false>,
    private readonly idPrefix: string,
    private readonly onRejected: (code: string) => void = () => {},
  ) {
    super({ ...options, retries: 0 });
  }

  protected override call<Data>(
    route: Route,
    parameters: Readonly<Record<string, unknown>>,
    options?: CallOptions,
  ): Promise<Data> {
    const isPlacing = route.method === 'POST' && route.path === '/api/orders';
    const sent =
      isPlacing && parameters.clientOrderId == null
        ? { ...parameters, clientOrderId: `${this.idPrefix}-${++this.placed}` }
        : parameters;
    const response = this.last.then(() => super.call<Data>(route, sent, options));
    this.last = response.catch((error) => {
      if (error instanceof ApiRequestError) this.onRejected(error.code);
    });
    return response;
  }
}
