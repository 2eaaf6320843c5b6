import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../free-ports.ts';
import type { Network } from './network.ts';

/** The folder of Debian's PostgreSQL programs, which are not in PATH. */
const DEBIAN = '/usr/lib/postgresql';
const SUPERUSER = 'buttonwood';
const PART = 'postgres';
/** A file system in memory, if the system has one, and its required free space. */
const MEMORY = '/dev/shm';
const MIN_FREE_BYTES = 2 ** 30;
const READY = /database system is ready to accept (read-only )?connections/;

/** A PostgreSQL server for one test at a time, in a temporary directory and on a free port of loopback. */
export interface PostgresServer {
  /** URL of its database `postgres`, as superuser without a password. */
  readonly url: string;
  /** Creates an empty database and returns its URL. */
  createDatabase(name: string): Promise<string>;
  /** Ends it like a crash: sessions break off and nothing is flushed. `restart` recovers it. */
  kill(): Promise<void>;
  /** Starts it again on the same port, after stopping it if it runs. */
  restart(): Promise<void>;
  /** Starts it again as a read-only standby. */
  restartAsStandby(): Promise<void>;
  /** Suspends all of its processes: connections stay open, the system accepts new ones, and no data arrives. */
  pause(): void;
  resume(): void;
  /**
   * Ends it if its directory is kept or it runs in a network. Otherwise removes its databases and roles and keeps it for
   * the next start in this process; it ends with the process.
   */
  stop(): Promise<void>;
  /** Ends it and removes its directory. Programs other than test runs need this, because an idle server keeps them alive. */
  remove(): Promise<void>;
}

/** Returns whether tests with PostgreSQL can run. If it is missing they are skipped with a warning; in CI they fail. */
export function hasPostgres(): boolean {
  if (binaries() !== undefined || process.env.CI) return true;
  console.warn(`${MISSING} Tests that need it are skipped.`);
  return false;
}

const MISSING =
  `PostgreSQL is not installed: no initdb in PATH or ${DEBIAN}/*/bin ` +
  '(Debian and Ubuntu: apt-get install postgresql).';

/** The directory and port of a PostgreSQL that outlives the process. */
export interface KeptPostgres {
  readonly directory: string;
  readonly port: number;
}

/** Stopped servers for reuse, because creating one takes longer than most tests. */
const idle: Server[] = [];

/**
 * Starts a server, or reuses an idle one. Resolves once it accepts connections.
 * @param kept The directory and port of a server whose data outlives `stop`. Existing data is used.
 * @param network The network in which it runs as `postgres`; loopback by default.
 * @throws Error if PostgreSQL is not installed
 */
export async function startPostgres(
  kept?: KeptPostgres,
  network?: Network,
): Promise<PostgresServer> {
  // A server in a network ends with the network.
  const end = kept !== undefined ? 'keep' : network !== undefined ? 'remove' : 'hand on';
  const waiting = end === 'hand on' ? idle.pop() : undefined;
  if (waiting?.isRunning) return waiting;
  const bin = binaries();
  if (bin === undefined) throw new Error(MISSING);
  const directory = kept?.directory ?? mkdtempSync(join(memory(), 'buttonwood-postgres-'));
  mkdirSync(directory, { recursive: true });
  // PostgreSQL refuses to run as root, and must own its directory.
  const asOwner = process.getuid?.() === 0 ? asUnprivileged() : [];
  if (asOwner.length > 0) run(['chown', owner(), directory]);
  if (kept === undefined) removeWithUs(directory);
  try {
    const data = join(directory, 'data');
    const terms = ['--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
    if (!existsSync(data))
      run([...asOwner, join(bin, 'initdb'), '-D', data, '-U', SUPERUSER, ...terms]);
    const port = kept?.port ?? freePort();
    const host = network?.address(PART) ?? '127.0.0.1';
    // Only processes of the same test can reach that address.
    if (network !== undefined)
      appendFileSync(join(data, 'pg_hba.conf'), 'host all all samenet trust\n');
    const within = [...(network?.within(PART) ?? []), ...asOwner];
    const server = new Server(
      [...within, join(bin, 'postgres'), '-D', data, '-p', `${port}`, '-h', host],
      `postgres://${SUPERUSER}@${host}:${port}/`,
      directory,
      end,
    );
    await server.start();
    return server;
  } catch (error) {
    if (kept === undefined) rmSync(directory, { recursive: true });
    throw error;
  }
}

/** Returns the parent of temporary directories: creating and removing thousands of small files is slow on ext4. */
function memory(): string {
  if (!existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= MIN_FREE_BYTES ? MEMORY : tmpdir();
}

/**
 * Starts a shell that ends the server and removes its directory once this process has ended. It is detached, because
 * Bun ends child processes after a test that times out.
 */
function removeWithUs(directory: string): void {
  const script = `(
    while kill -0 "$1" && [ -d "$0" ]; do sleep 2; done
    pid=$(head -n 1 "$0/data/postmaster.pid") && kill -CONT "$pid" && kill -QUIT "$pid"
    while kill -0 "$pid"; do sleep 0.1; done
    rm -rf "$0"
  ) &`;
  Bun.spawn(['sh', '-c', script, directory, `${process.pid}`], {
    stdio: ['ignore', 'ignore', 'ignore'],
    detached: true,
  });
}

class Server implements PostgresServer {
  private child: Bun.Subprocess<'ignore', 'ignore', 'pipe'> | undefined;

  constructor(
    private readonly command: readonly string[],
    private readonly base: string,
    private readonly directory: string,
    private readonly atStop: 'keep' | 'remove' | 'hand on',
  ) {}

  get url(): string {
    return `${this.base}postgres`;
  }

  get isRunning(): boolean {
    return this.child?.exitCode === null && this.child.signalCode === null;
  }

  async start(): Promise<void> {
    // Without fsync a crash of the process loses nothing, only a crash of the machine does.
    const own = this.atStop === 'keep' ? ['fsync=on'] : ['fsync=off', 'max_wal_size=256MB'];
    const settings = [...own, 'max_connections=100', 'unix_socket_directories='];
    this.child = Bun.spawn([...this.command, ...settings.flatMap((setting) => ['-c', setting])], {
      cwd: this.directory,
      stdio: ['ignore', 'ignore', 'pipe'],
      // Ctrl-C must reach only the parent, which stops everything in order.
      detached: true,
    });
    await untilReady(this.child);
  }

  async createDatabase(name: string): Promise<string> {
    const sql = new Bun.SQL(this.url, { max: 1 });
    // Otherwise version 15 and later log every page of a new database, which takes twenty times as long.
    const version = Number(readFileSync(join(this.directory, 'data', 'PG_VERSION'), 'utf8'));
    await sql.unsafe(`CREATE DATABASE "${name}" ${version < 15 ? '' : 'STRATEGY FILE_COPY'}`);
    await sql.close();
    return `${this.base}${name}`;
  }

  kill(): Promise<void> {
    return this.end('SIGQUIT');
  }

  async restart(): Promise<void> {
    await this.end('SIGINT');
    await this.start();
  }

  async restartAsStandby(): Promise<void> {
    const signal = join(this.directory, 'data', 'standby.signal');
    writeFileSync(signal, '');
    await this.restart();
    rmSync(signal);
  }

  pause(): void {
    // The main process first, so that it starts no further ones.
    this.signalAll('SIGSTOP');
  }

  resume(): void {
    this.signalAll('SIGCONT');
  }

  /** Signals each process, because each has its own process group. */
  private signalAll(signal: 'SIGSTOP' | 'SIGCONT'): void {
    const { child } = this;
    if (child === undefined) return;
    child.kill(signal);
    for (const pid of listChildren(child.pid)) {
      try {
        process.kill(pid, signal);
      } catch {
        // It has just ended.
      }
    }
  }

  async stop(): Promise<void> {
    this.resume();
    if (this.atStop === 'remove') return this.remove();
    if (this.atStop === 'keep') return this.end('SIGINT');
    if (!this.isRunning) await this.start();
    await this.empty();
    idle.push(this);
  }

  async remove(): Promise<void> {
    this.resume();
    await this.end('SIGINT');
    rmSync(this.directory, { recursive: true });
  }

  private async empty(): Promise<void> {
    const sql = new Bun.SQL(this.url, { max: 1 });
    const all = async (query: string) => (await sql.unsafe(query)) as { name: string }[];
    const databases = `SELECT datname AS name FROM pg_database WHERE datname <> 'postgres' AND NOT datistemplate`;
    for (const { name } of await all(databases)) {
      await sql.unsafe(`DROP DATABASE "${name}" WITH (FORCE)`);
    }
    const roles = `SELECT rolname AS name FROM pg_roles WHERE rolname <> '${SUPERUSER}' AND rolname !~ '^pg_'`;
    for (const { name } of await all(roles)) await sql.unsafe(`DROP ROLE "${name}"`);
    await sql.close();
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    this.child?.kill(signal);
    await this.child?.exited;
    this.child = undefined;
  }
}

/** Keeps reading its output, because a full pipe would block it. */
async function untilReady(child: Bun.Subprocess<'ignore', 'ignore', 'pipe'>): Promise<void> {
  const output = child.stderr.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!READY.test(text)) {
    const { value, done } = await output.read();
    if (done) throw new Error(`PostgreSQL did not start:\n${text}`);
    text += value;
  }
  const drain = async () => {
    while (!(await output.read()).done);
  };
  void drain();
}

/** Returns the directory of PostgreSQL's programs, of the newest version. */
function binaries(): string | undefined {
  const path = Bun.which('initdb');
  if (path !== null) return join(path, '..');
  return versions()
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(DEBIAN, version, 'bin'))
    .find((bin) => Bun.which('initdb', { PATH: bin }) !== null);
}

function versions(): string[] {
  try {
    return readdirSync(DEBIAN);
  } catch {
    return [];
  }
}

function listChildren(pid: number): number[] {
  const text =
    process.platform === 'linux'
      ? readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      : Bun.spawnSync(['pgrep', '-P', `${pid}`]).stdout.toString();
  return text.trim().split(/\s+/).map(Number).filter(Boolean);
}

/** Returns a command prefix that runs a program as an unprivileged user and ends it with its parent. */
function asUnprivileged(): string[] {
  return ['setpriv', `--reuid=${owner()}`, '--clear-groups', '--pdeathsig=QUIT', '--'];
}

function owner(): string {
  const hasUser = Bun.spawnSync(['id', 'postgres'], { stdio: ['ignore', 'ignore', 'ignore'] });
  return hasUser.success ? 'postgres' : 'nobody';
}

function run(command: string[]): void {
  const { success, stdout, stderr } = Bun.spawnSync(command, { cwd: tmpdir() });
  if (!success) throw new Error(`${command.join(' ')} failed:\n${stdout}${stderr}`);
}
