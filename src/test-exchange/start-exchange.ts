import { bundleOnce, copyWarm, openReleaseFolder } from './cache.ts';
import { type ExchangeOptions, toFlags } from './options.ts';
import { TestExchange } from './running.ts';
import { ServerProcess } from './server-process.ts';
import { createTemporary, remove, removeLeftovers } from './temporary-directories.ts';

/**
 * Starts an exchange for a test: a process of its own on a free port, with a temporary data directory. It ends with this
 * process. The first start with the same options takes longer: it creates the data that later ones copy.
 * @throws Error with the output of the exchange if it does not start, such as for an invalid setting
 */
export async function startExchange(options: ExchangeOptions = {}): Promise<TestExchange> {
  const flags = toFlags(options);
  const { clock = 'frozen', makers = false } = options;
  const directory = await createTemporary();
  try {
    // Thirty days of trading up to now are never the same.
    const hasWarmData = clock !== 'real' || !makers;
    const server = await startWarm(directory, flags, hasWarmData);
    void removeLeftovers().catch(() => {});
    const exchange = new TestExchange(server, directory);
    if (typeof clock === 'object' && 'stepMs' in clock) await exchange.clock.set(clock);
    return exchange;
  } catch (error) {
    await remove(directory);
    throw error;
  }
}

async function startWarm(
  directory: string,
  flags: readonly string[],
  hasWarmData: boolean,
): Promise<ServerProcess> {
  const folder = await openReleaseFolder();
  if (folder === undefined) return ServerProcess.start(directory, flags);
  const program = await bundleOnce(folder);
  if (hasWarmData) await copyWarm(folder, directory, flags);
  try {
    return await ServerProcess.start(directory, flags, program);
  } catch {
    // A file of the cache may be damaged.
    await remove(folder);
    await remove(directory);
    return ServerProcess.start(directory, flags);
  }
}
