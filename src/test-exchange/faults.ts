import type { AddFaultsParameters, Client } from '../client/index.ts';

/** A fault: its kind, and how often, when and where it happens. */
export type Fault = AddFaultsParameters['faults'][number];

/** Maximum number of faults per request. */
const PAGE = 100;

/** The faults of an exchange. They end when it ends, or with `clear`. */
export class ExchangeFaults {
  constructor(private readonly operator: Client) {}

  /**
   * Adds a script of faults. Its faults happen by the exchange's clock and by draws of its seed.
   * @param options.account Only for the keys of this account, such as `alice`; by default for all.
   * @returns the script, with its id
   */
  async add(faults: Fault | readonly Fault[], options: Omit<AddFaultsParameters, 'faults'> = {}) {
    const list = 'kind' in faults ? [faults] : faults;
    return (await this.operator.addFaults({ ...options, faults: list })).script;
  }

  /** Returns the newest 10,000 faults that have happened, each with its request id and position in the log. */
  async list() {
    const found: Awaited<ReturnType<Client['listFaults']>>['injected'][number][] = [];
    for (;;) {
      const fromId = `${(found.at(-1)?.number ?? 0) + 1}`;
      const { injected } = await this.operator.listFaults({ fromId, limit: PAGE });
      found.push(...injected);
      if (injected.length < PAGE) return found;
    }
  }

  /** Removes all scripts of faults. */
  async clear(): Promise<void> {
    await this.operator.removeFaults();
  }
}
