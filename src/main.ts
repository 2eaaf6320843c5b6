import { CliError, usageError } from './cli/failure.ts';
import { readRunOptions } from './cli/run-options.ts';
import { type Config, readConfig } from './config.ts';
import { exitWithLauncher, onStopSignal } from './launcher.ts';
import { type Node, resetData, startNode } from './node.ts';

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
  'DisagreementError',
  'HistoryVersionError',
  'AccountsVersionError',
]);

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
  const { isReset, flags } = readRunOptions(argv);
  const config = readConfig(process.env, isSandbox, flags);
  if (isReset) {
    if (!isSandbox)
      throw usageError('--reset is for the sandbox: a real exchange forgets nothing.');
    await resetData(config.dataDirectory);
  }
  const node = await startNode(config, fail);
  const stop = (reason: string) => {
    console.log(`Stopping (${reason}) …`);
    node.stop().then(
      () => process.exit(0),
      (error) => fail(error as Error),
    );
  };
  onStopSignal(stop);
  exitWithLauncher(() => stop('the launcher is gone'));
  greet(node, config);
}

function greet(node: Node, { isSandbox, hasMakers, dataDirectory }: Config): void {
  const { baseUrl, credentialsPath } = node;
  if (!isSandbox) {
    console.log(`Buttonwood serves at ${baseUrl}, data in ${dataDirectory}`);
    console.log(`Operator key, if this was the first start: ${credentialsPath}. Keep it safe.`);
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
    console.error(`buttonwood: ${error.message}`);
    process.exit(error.exitCode);
  }
  if (error.name === 'SQLiteError' || 'syscall' in error) {
    console.error(
      `buttonwood: ${error.message}. See to the disk and the data directory, then start again.`,
    );
  } else console.error(EXPECTED.has(error.name) ? `buttonwood: ${error.message}` : error);
  process.exit(1);
}
