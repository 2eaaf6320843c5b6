import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBun } from '#find-bun';

/** The package's folder: of src/test-exchange in a checkout, of dist/test-exchange if installed. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Whether the package is a checkout, whose sources change without their version. */
export const isCheckout = existsSync(join(ROOT, 'tsconfig.json'));

/** Only limits a hang: a start with thirty days of trading takes seconds, on a busy machine longer. */
const START_LIMIT_MS = 120_000;
/** Characters of the server's output that errors quote. */
const MAX_OUTPUT_LENGTH = 10_000;

/** A `buttonwood start` process. It ends with this process, also if this one is killed. */
export class ServerProcess {
  private output = '';
  private readonly exited: Promise<void>;
  private hasExited = false;
  /** Whether it was running when it was killed. */
  private isKilled = false;

  private constructor(private readonly child: ChildProcess) {
    this.exited = new Promise((resolve) => {
      const onExit = () => {
        this.hasExited = true;
        resolve();
      };
      child.once('exit', onExit);
      child.once('error', (error) => {
        this.output += error.message;
        onExit();
      });
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (data) => {
        this.output = (this.output + data).slice(-MAX_OUTPUT_LENGTH);
      });
    }
  }

  /**
   * Starts the server on a free port of this machine, and waits until it serves.
   * @param flags Flags of `buttonwood start`, without those of the port and the data directory.
   * @param program The server's program; its sources by default.
   * @throws Error with the server's output if it ends instead
   */
  static async start(
    dataDirectory: string,
    flags: readonly string[],
    program = join(ROOT, 'src/main.ts'),
  ): Promise<ServerProcess> {
    const args = ['--no-install', program, 'start', '--port', '0'];
    const child = spawn(findBun(), [...args, '--data', dataDirectory, ...flags], {
      // The last one is the pipe whose end ends the server: see src/node/launcher.ts.
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      env: { ...inheritedVariables(), BUTTONWOOD_LAUNCHER_FD: '3' },
    });
    const server = new ServerProcess(child);
    try {
      await server.whenServing();
    } catch (error) {
      await server.kill();
      throw error;
    }
    // A test that forgets to close the exchange ends anyway.
    child.unref();
    for (const stream of child.stdio) (stream as { unref?(): void } | null)?.unref?.();
    return server;
  }

  private async whenServing(): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const serving = new Promise<void>((resolve, reject) => {
      this.child.stdout!.on('data', () => {
        if (this.output.includes('Buttonwood sandbox at ')) resolve();
      });
      const fail = (what: string) => reject(new Error(`The exchange ${what}:\n${this.output}`));
      void this.exited.then(() => fail('ended instead of starting'));
      timer = setTimeout(() => fail(`did not start in ${START_LIMIT_MS / 1000} s`), START_LIMIT_MS);
    });
    await serving.finally(() => clearTimeout(timer));
  }

  /** Stops the server as an operator does, so that its data can be used again. */
  stop(): Promise<void> {
    return this.end('SIGTERM');
  }

  /** Ends the server at once; its data is not used again. */
  kill(): Promise<void> {
    return this.end('SIGKILL');
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    if (!this.hasExited) this.isKilled = signal === 'SIGKILL';
    this.child.ref();
    this.child.kill(signal);
    await this.exited;
  }

  /** Must be called after `kill`. @throws Error with the server's output if it had ended by itself */
  checkKilled(): void {
    const { exitCode, signalCode } = this.child;
    if (this.isKilled && signalCode === 'SIGKILL') return;
    throw new Error(
      `The exchange ended during the test (${signalCode ?? `exit code ${exitCode}`}):\n${this.output}`,
    );
  }
}

/**
 * Returns this process's environment without the settings of another exchange, and without large pages, which double the
 * time of a start.
 */
function inheritedVariables(): NodeJS.ProcessEnv {
  const isInherited = ([name]: [string, unknown]) =>
    !name.startsWith('BUTTONWOOD_') && name !== 'PORT' && name !== 'MIMALLOC_ALLOW_THP';
  return Object.fromEntries(Object.entries(process.env).filter(isInherited));
}
