import { readStart } from './cli/start.ts';
import { type Config, configWarning, showConfig } from './config/config.ts';
import type { Flags } from './config/sources.ts';
import { EngineVersionError } from './engine/rejection.ts';
import { serveAdmin } from './monitoring/admin-server.ts';
import * as logger from './monitoring/logger.ts';
import { Monitor } from './monitoring/monitor.ts';
import { isStorageFailure, OperatorError } from './monitoring/operator-error.ts';
import { exitWithLauncher, onStopSignal } from './node/launcher.ts';
import type { Node } from './node/node.ts';

/** Maximum time of a stop after draining, far longer than it takes normally. */
const STOP_LIMIT_MS = 20_000;

const [command, ...args] = process.argv.slice(2);

try {
  const isRun = command === 'start' || command === 'serve';
  if (isRun && !args.some((arg) => arg === '--help' || arg === '-h'))
    await run(command === 'start', args);
  else {
    const { runCli } = await import('./cli/cli.ts');
    process.exitCode = await runCli(process.argv.slice(2), process.env);
    // A bot of a scenario may have left timers and sockets.
    if (command === 'scenario') process.stdout.write('', () => process.exit());
  }
} catch (error) {
  fail(error as Error);
}

/** Runs a node until it receives a stop signal. */
async function run(isSandbox: boolean, argv: readonly string[]): Promise<void> {
  // The sandbox logs plain text, a real exchange JSON for log collectors.
  if (!isSandbox) logger.useJson();
  const { config, flags, isReset } = readStart(argv, process.env, isSandbox);
  // Loaded only now, because other commands and configuration errors do not need it.
  const { resetData, startNode } = await import('./node/node.ts');
  if (isReset) await resetData(config.dataDirectory);
  if (!isSandbox) logger.info('starting', shownConfig(flags));
  const monitor = new Monitor(config.node);
  // Opened before recovery, which may take long and is monitored too.
  if (config.admin !== undefined) openAdmin(config.admin, monitor);
  const starting = startNode(config, fail, monitor);
  const stopping = stopOnSignals(starting, config, monitor);
  const node = await starting;
  if (stopping.hasBegun) return;
  // Logged only now, so that an invalid setting is reported alone.
  const warning = configWarning(config);
  if (warning !== undefined) logger.warn(warning);
  greet(node, config);
}

/** Stops the node, drained and once, on a stop signal or if the launcher ends. A second signal exits immediately. */
function stopOnSignals(
  starting: Promise<Node>,
  { isSandbox, drainSeconds }: Config,
  monitor: Monitor,
): { readonly hasBegun: boolean } {
  const stopping = { hasBegun: false };
  const stop = async (reason: string, drainMs: number) => {
    if (stopping.hasBegun) return;
    stopping.hasBegun = true;
    monitor.readiness.add('draining');
    logger.info(`Stopping (${reason}) …`);
    setTimeout(() => {
      logger.warn(
        'The node did not stop in time, so it exits now. Everything acknowledged is in the log.',
      );
      process.exit(1);
    }, drainMs + STOP_LIMIT_MS).unref();
    // The node may serve requests before it has started completely.
    const started = await starting;
    if (drainMs > 0) started.drain();
    await Bun.sleep(drainMs);
    await started.stop();
    if (!isSandbox) logger.info('stopped');
    process.exit(0);
  };
  onStopSignal(
    (signal) => void stop(signal, drainSeconds * 1000).catch(fail),
    () => {
      logger.warn(
        'Second signal received; exiting immediately. Everything acknowledged is in the log.',
      );
      process.exit(1);
    },
  );
  exitWithLauncher(() => void stop('the launcher has ended', 0).catch(fail));
  return stopping;
}

/** Returns the settings as they are logged, with secrets masked. */
function shownConfig(flags: Flags): Record<string, string | null> {
  const shown = showConfig(process.env, false, flags);
  return Object.fromEntries(shown.map(({ name, value }) => [name, value ?? null]));
}

function openAdmin(admin: NonNullable<Config['admin']>, monitor: Monitor): void {
  const { host, port } = admin;
  try {
    const openedPort = serveAdmin(admin, monitor);
    const shownHost = host.includes(':') ? `[${host}]` : host;
    logger.info(`Health and metrics are served at http://${shownHost}:${openedPort}`);
  } catch (error) {
    throw new OperatorError(
      `Cannot listen on ${host}, port ${port} (${(error as Error).message}). Stop the process that uses the port, or change ` +
        'BUTTONWOOD_ADMIN_PORT or BUTTONWOOD_ADMIN_HOST.',
    );
  }
}

function greet(node: Node, { isSandbox, hasMakers, recording, dataDirectory }: Config): void {
  const { baseUrl, pagesUrl, credentialsPath } = node;
  if (!isSandbox) {
    logger.info(`Buttonwood serves at ${baseUrl}, data in ${dataDirectory}`);
    logger.info(`The operator's first API key is in ${credentialsPath}. Store it safely.`);
    for (const line of binanceLines(node)) logger.info(line);
    return;
  }
  const alice = node.credential('alice');
  if (alice === undefined) {
    console.log(`Buttonwood sandbox at ${baseUrl}, in a cluster. Open ${pagesUrl} in a browser.
Its keys are in the data directory of the node that created the exchange.
${binanceLines(node).join('\n')}`);
    return;
  }
  const note = hasMakers
    ? '\nMarket makers trade in its markets.'
    : recording === undefined
      ? ''
      : '\nIt plays recorded markets.';
  console.log(`Buttonwood sandbox at ${baseUrl}
Open ${pagesUrl} in a browser.
Keys and passwords of alice, bob and the operator: ${credentialsPath}${note}
${binanceLines(node).join('\n')}

Place an order as alice:

curl -X POST ${baseUrl}/api/orders \\
  -H 'Authorization: Bearer ${alice.apiKey}' \\
  -H 'X-API-Secret: ${alice.apiSecret}' \\
  -H 'Content-Type: application/json' \\
  -d '{"symbol":"BTC/USDT","side":"buy","type":"limit","amount":0.01,"price":45000}'
`);
}

/** Returns where bots for Binance connect, and which markets they do not see; no lines if the dialect is off. */
function binanceLines({ baseUrl, binanceOmissions: omissions }: Node): string[] {
  if (omissions === undefined) return [];
  const url = `Bots for Binance's Spot API can use ${baseUrl}/binance`;
  return omissions.length === 0 ? [url] : [`${url}, without these markets:`, ...omissions];
}

/** Ends the process at once. Everything acknowledged is on disk, and nothing more may be answered. */
function fail(error: Error): never {
  if (error instanceof OperatorError || error instanceof EngineVersionError) {
    logger.error(`buttonwood: ${error.message}`);
    process.exit('exitCode' in error ? error.exitCode : 1);
  }
  if (isStorageFailure(error)) {
    const { message } = error as Error;
    logger.error(
      `buttonwood: ${message}. Check the disk and the data directory, then start again.`,
    );
  } else logger.error('buttonwood has failed', error);
  process.exit(1);
}
