import { CliError, usageError } from './cli/failure.ts';
import { parseRunOptions } from './cli/program.ts';
import { flagsOf } from './cli/run-options.ts';
import { checkVariables } from './cli/variables.ts';
import { type Config, ConfigError, doubtOf, readConfig, showConfig } from './config/config.ts';
import type { Flags } from './config/sources.ts';
import { serveAdmin } from './monitoring/admin-server.ts';
import * as logger from './monitoring/logger.ts';
import { Monitor } from './monitoring/monitor.ts';
import { exitWithLauncher, onStopSignal } from './node/launcher.ts';
import type { Node } from './node/node.ts';

/** What ends a command that a person can mend: printed without a stack. */
const EXPECTED = new Set([
  'ConfigError',
  'DirectoryInUseError',
  'WrongDataError',
  'LogDamagedError',
  'LogFailedError',
  'LogFormatError',
  'LogPositionError',
  'PoisonedCommandError',
  'ArchivistError',
  'NatsError',
  'SharedLogError',
  'FencedError',
  'HistoryForeignError',
  'HistoryUnavailableError',
  'HistoryUnreadableError',
  'DisagreementError',
  'OutvotedError',
  'EngineVersionError',
  'HistoryVersionError',
  'HistoryUnreadableError',
  'UsersUnreadableError',
  'UsersVersionError',
  'DatabaseDownError',
  'DatabaseRefusedError',
]);

/** Far longer than an orderly end takes, beside what it drains. */
const STOP_LIMIT_MS = 20_000;

const [command, ...args] = process.argv.slice(2);

try {
  const isRun = command === 'start' || command === 'serve';
  if (isRun && !args.some((arg) => arg === '--help' || arg === '-h'))
    await run(command === 'start', args);
  else {
    const { runCli } = await import('./cli/cli.ts');
    process.exitCode = await runCli(process.argv.slice(2), process.env);
  }
} catch (error) {
  fail(error as Error);
}

/** Runs a node until it is told to stop. */
async function run(isSandbox: boolean, argv: readonly string[]): Promise<void> {
  // The sandbox's lines are for people, a real exchange's for programs that gather them.
  if (!isSandbox) logger.loggerAsJson();
  const options = parseRunOptions(argv);
  const flags = flagsOf(options);
  const isReset = options.has('reset');
  checkVariables(process.env);
  const config = readConfig(process.env, isSandbox, flags);
  // Not before: no other command needs it, nor does a wrong setting.
  const { startNode } = await import('./node/node.ts');
  if (isReset) {
    if (!isSandbox)
      throw usageError('--reset is for the sandbox: a real exchange forgets nothing.');
    const { resetData } = await import('./node/reset.ts');
    await resetData(config.dataDirectory);
  }
  if (!isSandbox) logger.info('starting', shownConfig(flags));
  const monitor = new Monitor(config.node);
  // Before anything is recovered: that may take long, and is asked about.
  if (config.admin !== undefined) openAdmin(config.admin, monitor);
  const node = await startNode(config, fail, monitor);
  let isStopping = false;
  const stop = async (reason: string, drainMs: number) => {
    if (isStopping) return;
    isStopping = true;
    monitor.readiness.add('draining');
    logger.info(`Stopping (${reason}) …`);
    setTimeout(() => {
      logger.warn('It did not stop in time: ended. All that was acknowledged is in the log.');
      process.exit(1);
    }, drainMs + STOP_LIMIT_MS).unref();
    if (drainMs > 0) node.drain();
    await Bun.sleep(drainMs);
    await node.stop();
    if (!isSandbox) logger.info('stopped');
    process.exit(0);
  };
  onStopSignal(
    (signal) => void stop(signal, config.drainSeconds * 1000).catch(fail),
    () => {
      logger.warn('Told again to stop: ended at once. All that was acknowledged is in the log.');
      process.exit(1);
    },
  );
  exitWithLauncher(() => void stop('the launcher is gone', 0).catch(fail));
  // Not before it serves: of a setting that is wrong its fault alone is told.
  const doubt = doubtOf(config);
  if (doubt !== undefined) logger.warn(doubt);
  greet(node, config);
}

/** The settings as they stand in the journal. */
function shownConfig(flags: Flags): Record<string, string | null> {
  const shown = showConfig(process.env, false, flags);
  return Object.fromEntries(shown.map(({ name, value }) => [name, value ?? null]));
}

function openAdmin(admin: NonNullable<Config['admin']>, monitor: Monitor): void {
  const { host, port } = admin;
  try {
    const taken = serveAdmin(admin, monitor);
    const shownHost = host.includes(':') ? `[${host}]` : host;
    logger.info(`Health and metrics are at http://${shownHost}:${taken}`);
  } catch (error) {
    throw new ConfigError(
      `Cannot listen on ${host}, port ${port} (${(error as Error).message}): stop what runs there, or set ` +
        'BUTTONWOOD_ADMIN_PORT or BUTTONWOOD_ADMIN_HOST to another.',
    );
  }
}

function greet(node: Node, { isSandbox, hasMakers, dataDirectory }: Config): void {
  const { baseUrl, credentialsPath } = node;
  if (!isSandbox) {
    logger.info(`Buttonwood serves at ${baseUrl}, data in ${dataDirectory}`);
    logger.info(`Operator key, if this was the first start: ${credentialsPath}. Keep it safe.`);
    return;
  }
  const alice = node.credential('alice');
  if (alice === undefined) {
    console.log(`Buttonwood sandbox at ${baseUrl}, one of several nodes  (open it in a browser)
Its keys are in the data directory of the node that was the first.`);
    return;
  }
  const note = hasMakers
    ? '\nIts markets trade by themselves; their charts fill in the seconds after the first start.'
    : '';
  console.log(`Buttonwood sandbox at ${baseUrl}  (open it in a browser)
Keys and passwords of alice, bob and the operator: ${credentialsPath}${note}

Place an order as alice:

curl -X POST ${baseUrl}/api/orders \\
  -H 'Authorization: Bearer ${alice.apiKey}' \\
  -H 'X-API-Secret: ${alice.apiSecret}' \\
  -H 'Content-Type: application/json' \\
  -d '{"symbol":"BTC/USDT","side":"buy","type":"limit","amount":0.01,"price":45000}'
`);
}

/** Ends the process at once: what was acknowledged is on disk, nothing more may be answered. */
function fail(error: Error): never {
  if (error instanceof CliError) {
    logger.error(`buttonwood: ${error.message}`);
    process.exit(error.exitCode);
  }
  if (error.name === 'SQLiteError' || 'syscall' in error) {
    logger.error(
      `buttonwood: ${error.message}. See to the disk and the data directory, then start again.`,
    );
  } else if (EXPECTED.has(error.name)) logger.error(`buttonwood: ${error.message}`);
  else logger.error('buttonwood has failed', error);
  process.exit(1);
}
