import { type AddFaultsParameters, Client } from '../client/index.ts';
import { startExchange } from '../test-exchange/index.ts';
import type { ScenarioFault } from './format/schema.ts';
import type { InjectedFault, ScenarioExchange, StartExchange } from './run/exchange.ts';

/** Records per page. */
const PAGE = 1000;

/** Starts a sandbox in a process of its own, whose clock is frozen. */
export const startSandboxExchange: StartExchange = async ({ seed, startMs, hasMakers }) => {
  const exchange = await startExchange({
    seed,
    makers: hasMakers,
    rateLimits: 'spec',
    clock: 'frozen',
    clockStart: new Date(startMs),
  });
  const { baseUrl, dataDirectory, keys } = exchange;
  const { apiKey, apiSecret } = keys.operator;
  const operator = new Client<true>({
    baseUrl,
    apiKey,
    apiSecret,
    exactNumbers: true,
    // The time stands still while a retry waits.
    retries: 0,
  });
  return {
    baseUrl,
    dataDirectory,
    operator,
    advance: async (advanceMs) => void (await operator.setSandboxClock({ advanceMs })),
    changeMakers: async (change) => void (await operator.changeMakers(change)),
    addFault: async (fault, now) => void (await operator.addFaults(toScript(fault, now))),
    clearFaults: async () => void (await operator.removeFaults()),
    injectedFaults: () => listInjected(operator),
    close: () => exchange.close(),
  } satisfies ScenarioExchange;
};

/** Returns the script with one fault that begins at once. */
function toScript(fault: ScenarioFault, now: number): AddFaultsParameters {
  const { account, duration, every, for: forMs, ...rest } = fault;
  const until = duration === undefined ? undefined : now + duration;
  return {
    account,
    faults: [{ ...rest, schedule: { until, everyMs: every, forMs } }],
  };
}

/** Returns all faults injected so far, as far as the exchange remembers them. */
async function listInjected(operator: Client<true>): Promise<InjectedFault[]> {
  const all: InjectedFault[] = [];
  for (let fromId = 1; ; ) {
    const { injected } = await operator.listFaults({ fromId: `${fromId}`, limit: PAGE });
    all.push(...injected);
    if (injected.length < PAGE) return all;
    fromId = injected.at(-1)!.number + 1;
  }
}
