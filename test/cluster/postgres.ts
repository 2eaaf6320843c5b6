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
/** A file system in memory, where a system has one, and what has to be free there. */
const MEMORY = '/dev/shm';
const ROOM_BYTES = 2 ** 30;
const READY = /database system is ready to accept (read-only )?connections/;

/** A PostgreSQL that is a test's own until it stops it: in a temporary directory, on a free port of loopback. */
export interface PostgresServer {
  /** URL of its database `postgres`, as superuser without a password. */
  readonly url: string;
  /** Makes an empty database. @returns Its url. */
  createDatabase(name: string): Promise<string>;
  /** Ends it as a crash would: sessions break off, nothing is written; `restart` recovers. */
  kill(): Promise<void>;
  /** Starts it again on the same port, after an orderly end where it still runs. */
  restart(): Promise<void>;
  /** Starts it again as a standby, which answers and takes no writes. */
  restartAsStandby(): Promise<void>;
  /** SIGSTOP to all of its processes: connections stay, new ones are taken by the system, and nothing comes. */
  pause(): void;
  resume(): void;
  /**
   * Ends it where its directory is kept, or where it is in a network. Else its databases and roles are removed, and it
   * waits for who starts one next in this process; it goes with the process, however that ends.
   */
  stop(): Promise<void>;
  /** Ends it and removes its directory. Programs other than test runs need this: a server that waits keeps them alive. */
  remove(): Promise<void>;
}

/**
 * Whether tests with PostgreSQL can run here. Where it is missing they are left out, aloud, but in CI:
 * there they run and fail.
 */
export function hasPostgres(): boolean {
  if (binaries() !== undefined || process.env.CI) return true;
  console.warn(`${MISSING} Tests that need it are left out.`);
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
 * Starts one, or takes one that was stopped; resolves once it takes connections.
 * @param kept Where nothing is to be lost, not by `stop` either, and what is there is gone on with.
 * @param network Where it runs, as `postgres`, if not on loopback.
 * @throws where none is installed
 */
export async function startPostgres(
  kept?: KeptPostgres,
  network?: Network,
): Promise<PostgresServer> {
  // One that is in a network goes with it.
  const end = kept !== undefined ? 'keep' : network !== undefined ? 'remove' : 'hand on';
  const waiting = end === 'hand on' ? idle.pop() : undefined;
  if (waiting?.isRunning) return waiting;
  const bin = binaries();
  if (bin === undefined) throw new Error(MISSING);
  const directory = kept?.directory ?? mkdtempSync(join(memory(), 'buttonwood-postgres-'));
  mkdirSync(directory, { recursive: true });
  // It refuses to run as root, and must own its directory.
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

/**
 * Thousands of small files are made and removed, which takes ext4 longer than all the rest. Nothing here outlives the
 * machine anyway.
 */
function memory(): string {
  if (!existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= ROOM_BYTES ? MEMORY : tmpdir();
}

/**
 * Leaves a shell behind that looks whether this process is there, then ends the server and removes its directory.
 * It is no child: those bun ends after a test that takes too long.
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
    // Crashes of the process lose nothing that the system has: what is not synced is lost with the machine.
    const own = this.atStop === 'keep' ? ['fsync=on'] : ['fsync=off', 'max_wal_size=256MB'];
    const settings = [...own, 'max_connections=100', 'unix_socket_directories='];
    this.child = Bun.spawn([...this.command, ...settings.flatMap((setting) => ['-c', setting])], {
      cwd: this.directory,
      stdio: ['ignore', 'ignore', 'pipe'],
      // A Ctrl-C is for who started it, to stop things in order.
      detached: true,
    });
    await untilReady(this.child);
  }

  async createDatabase(name: string): Promise<string> {
    const sql = new Bun.SQL(this.url, { max: 1 });
    // Since version 15 it writes every page of a new database to its log else: twenty times the work.
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
    // Its master first, so that no more are made.
    this.signalAll('SIGSTOP');
  }

  resume(): void {
    this.signalAll('SIGCONT');
  }

  /** Each of its processes is a group of its own. */
  private signalAll(signal: 'SIGSTOP' | 'SIGCONT'): void {
    const { child } = this;
    if (child === undefined) return;
    child.kill(signal);
    for (const pid of listChildren(child.pid)) {
      try {
        process.kill(pid, signal);
      } catch {
        // It ended a moment ago.
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

/** The directory of its programs, those of the newest version. */
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

/** It becomes the program that follows, and that one ends with the process that started it. */
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
