import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../free-ports.ts';
import type { Network } from './network.ts';

/** Maximum time for starting a server and for the election of the first leader. */
const READY_MS = 30_000;

const LOOPBACK = '127.0.0.1';

/** Users of every server started here; their passwords protect nothing. */
export const EXCHANGE_USER = { user: 'exchange', pass: 'exchange-password' } as const;
export const SYSTEM_USER = { user: 'system', pass: 'system-password' } as const;

const ACCOUNTS = `accounts {
  EXCHANGE { jetstream: enabled, users: [${userConfig(EXCHANGE_USER)}] }
  SYSTEM { users: [${userConfig(SYSTEM_USER)}] }
}
system_account: SYSTEM
no_auth_user: "${EXCHANGE_USER.user}"`;

/** Prefix of a command whose process is killed when this one dies, on systems that support it. */
const ENDING_WITH_US = Bun.which('setpriv') === null ? [] : ['setpriv', '--pdeathsig=KILL', '--'];

export interface NatsOptions {
  /** A single server, or a cluster of three. */
  readonly servers?: 1 | 3;
  /** Directory of configuration, logs and streams. It is kept if given, otherwise temporary and removed by `stop`. */
  readonly directory?: string;
  /** The first port, three per server; by default free ones. */
  readonly firstPort?: number;
  /** Accounts and users in the syntax of the servers' configuration, instead of the two above. */
  readonly accounts?: string;
  /** If false, `sync_interval` is omitted even if the version supports it. */
  readonly syncsAlways?: boolean;
  /** Maximum bytes of a message, the servers' default unless given. */
  readonly maxPayloadBytes?: number;
  /** The network in which they run as `nats-1`, `nats-2` and `nats-3`; by default loopback without links. */
  readonly network?: Network;
}

export interface Nats {
  /** URL of each server without a user; connections without one are the exchange's. */
  readonly urls: readonly string[];
  /** URL of each server for a user of the system account, which may read the servers' settings. */
  readonly systemUrls: readonly string[];
  readonly servers: readonly NatsServer[];
  readonly version: string;
  /** Whether the servers sync each write. Versions before 2.10 cannot. */
  readonly syncsAlways: boolean;
  /** Resolves once the running servers have a JetStream leader and are synchronized with it. */
  ready(): Promise<void>;
  /** Ends all servers and removes temporary files. */
  stop(): Promise<void>;
}

/** Returns why nats-server cannot be started here; undefined if it can. */
export function natsProblem(): string | undefined {
  return findNatsServer() === undefined ? 'there is no nats-server' : undefined;
}

/**
 * Starts nats-server on loopback, with JetStream in files, an account for the exchange and one for the system.
 * The binary is BUTTONWOOD_NATS_SERVER, or nats-server by default.
 * @throws Error if it is missing, or if a server does not start, with the end of its log
 */
export async function startNats(options: NatsOptions = {}): Promise<Nats> {
  const binary = findNatsServer();
  if (binary === undefined) {
    throw new Error(
      'There is no nats-server. Install it (apt-get install nats-server), or name one in BUTTONWOOD_NATS_SERVER.',
    );
  }
  const { servers: count = 1, firstPort } = options;
  const version = readVersion(binary);
  const syncsAlways = (options.syncsAlways ?? true) && isSince(version, 2, 10);
  const directory = options.directory ?? mkdtempSync(join(tmpdir(), 'buttonwood-nats-'));
  const ports =
    firstPort === undefined
      ? freePorts(count * 3)
      : Array.from({ length: count * 3 }, (_, index) => firstPort + index);
  const { network } = options;
  const names = Array.from({ length: count }, (_, index) => `nats-${index + 1}`);
  const findHost = (name: string) => network?.address(name) ?? LOOPBACK;
  const own = names.map((name, index) => `${findHost(name)}:${ports[count + index]}`);
  const listRoutes = async (from: string, index: number) => {
    const to = await Promise.all(
      names.map((name, other) =>
        other === index || network === undefined
          ? own[other]!
          : network.way(from, name, ports[count + other]!),
      ),
    );
    return { own: own[index]!, to, areSecret: to.some((route, other) => route !== own[other]) };
  };
  const servers = await Promise.all(
    names.map(async (name, index) => {
      const settings = {
        command: [...(network?.within(name) ?? []), ...ENDING_WITH_US, binary],
        name,
        host: findHost(name),
        directory: join(directory, name),
        port: ports[index]!,
        routes: count > 1 ? await listRoutes(name, index) : undefined,
        monitorPort: ports[2 * count + index]!,
        syncsAlways,
        knowsRoutePings: isSince(version, 2, 11),
        accounts: options.accounts ?? ACCOUNTS,
        maxPayloadBytes: options.maxPayloadBytes,
      };
      return new NatsServer(settings);
    }),
  );
  const nats: Nats = {
    urls: servers.map(({ url }) => url),
    systemUrls: servers.map(({ url }) =>
      url.replace('//', `//${SYSTEM_USER.user}:${SYSTEM_USER.pass}@`),
    ),
    servers,
    version,
    syncsAlways,
    ready: () => ready(servers),
    stop: async () => {
      await Promise.all(servers.map((server) => server.stop()));
      if (options.directory === undefined) rmSync(directory, { recursive: true, force: true });
    },
  };
  try {
    await Promise.all(servers.map((server) => server.start()));
    await nats.ready();
  } catch (error) {
    await nats.stop();
    throw error;
  }
  return nats;
}

interface ServerSettings {
  /** The program without its arguments. */
  readonly command: readonly string[];
  readonly name: string;
  readonly host: string;
  readonly directory: string;
  readonly port: number;
  /** In a cluster, its route address and those of all servers. */
  readonly routes:
    | {
        readonly own: string;
        readonly to: readonly string[];
        /** Whether they lead through proxies or packet filters, so the direct addresses must not be advertised. */
        readonly areSecret: boolean;
      }
    | undefined;
  readonly monitorPort: number;
  readonly syncsAlways: boolean;
  readonly knowsRoutePings: boolean;
  readonly accounts: string;
  readonly maxPayloadBytes: number | undefined;
}

/** One server, which keeps its streams, name and ports across starts. */
export class NatsServer {
  readonly name: string;
  readonly url: string;
  /** The URL of its monitoring pages. */
  readonly monitorUrl: string;
  private child: Bun.Subprocess | undefined;

  constructor(private readonly settings: ServerSettings) {
    this.name = settings.name;
    this.url = `nats://${settings.host}:${settings.port}`;
    this.monitorUrl = `http://${settings.host}:${settings.monitorPort}`;
  }

  /** The process id; undefined if it does not run. */
  get pid(): number | undefined {
    const { child } = this;
    const isRunning = child?.exitCode === null && child.signalCode === null;
    return isRunning ? child.pid : undefined;
  }

  /** Resolves once it accepts connections; `Nats.ready` waits for JetStream. */
  async start(): Promise<void> {
    if (this.pid !== undefined) throw new Error(`${this.name} runs already`);
    const { command, directory } = this.settings;
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'nats.conf'), configuration(this.settings));
    const log = openSync(this.logPath, 'a');
    this.child = Bun.spawn([...command, '-c', join(directory, 'nats.conf')], {
      stdio: ['ignore', log, log],
      // Ctrl-C must reach only the parent, which stops everything in order.
      detached: true,
    });
    closeSync(log);
    await until(async () => {
      if (this.pid === undefined) throw new Error(`${this.name} ended:\n${await this.logEnd()}`);
      return (await this.monitor('/varz')) !== undefined;
    }, `${this.name} to take connections`);
  }

  /** SIGKILL: nothing is flushed, no peer is notified. Resolves once the process has ended. */
  kill(): Promise<void> {
    return this.end('SIGKILL');
  }

  /** SIGTERM: it hands its leaderships over and ends. */
  stop(): Promise<void> {
    this.resume();
    return this.end('SIGTERM');
  }

  /** SIGSTOP: its connections stay open, and no data arrives. */
  pause(): void {
    this.child?.kill('SIGSTOP');
  }

  resume(): void {
    this.child?.kill('SIGCONT');
  }

  /** Reads a monitoring page; undefined if it does not answer or reports an error. */
  async monitor(path: string): Promise<Record<string, unknown> | undefined> {
    const url = `${this.monitorUrl}${path}`;
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(2000), keepalive: false });
      return response.ok ? ((await response.json()) as Record<string, unknown>) : undefined;
    } catch {
      return undefined;
    }
  }

  private async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const { child } = this;
    child?.kill(signal);
    await child?.exited;
  }

  private get logPath(): string {
    return join(this.settings.directory, 'nats.log');
  }

  private async logEnd(): Promise<string> {
    return (await Bun.file(this.logPath).text()).split('\n').slice(-10).join('\n');
  }
}

/** Waits until each running server is healthy, and all report the same leader, which sees all of them. */
async function ready(servers: readonly NatsServer[]): Promise<void> {
  await until(async () => {
    const alive = servers.filter(({ pid }) => pid !== undefined);
    if (alive.length === 0) throw new Error('No nats-server runs');
    const reports = await Promise.all(
      alive.map((server) => findLeader(server, servers.length > 1)),
    );
    const leaders = new Set(reports.map((each) => each?.leader));
    if (leaders.size > 1 || leaders.has(undefined)) return false;
    // Only the leader knows which other servers are online.
    return Math.max(...reports.map((each) => each!.present)) >= alive.length;
  }, 'JetStream to have a leader');
}

/** Returns the leader that a healthy server reports ('' for a single server), and the number of servers that it sees. */
async function findLeader(
  server: NatsServer,
  isCluster: boolean,
): Promise<{ readonly leader: string; readonly present: number } | undefined> {
  if ((await server.monitor('/healthz')) === undefined) return undefined;
  const page = await server.monitor('/jsz');
  if (!isCluster) return page === undefined ? undefined : { leader: '', present: 1 };
  const meta = page?.meta_cluster as MetaCluster | undefined;
  if (!meta?.leader) return undefined;
  const others = (meta.replicas ?? []).filter(({ current, offline }) => current && !offline);
  return { leader: meta.leader, present: 1 + others.length };
}

interface MetaCluster {
  readonly leader?: string;
  readonly replicas?: readonly { readonly current?: boolean; readonly offline?: boolean }[];
}

/** Polls until the condition holds, up to ten times a second: the servers send no notification of it. */
async function until(isSo: () => Promise<boolean>, what: string): Promise<void> {
  const deadline = Date.now() + READY_MS;
  for (let pauseMs = 10; !(await isSo()); pauseMs = Math.min(2 * pauseMs, 100)) {
    if (Date.now() > deadline) throw new Error(`Waited ${READY_MS} ms for ${what}`);
    await Bun.sleep(pauseMs);
  }
}

/** Nothing listens on port 1, so connections to the advertised address fail at once. */
const HIDDEN = `  no_advertise: true
  advertise: "127.0.0.1:1"
`;

/** The same settings as in deploy/nats.conf, which explains them. */
const ROUTE_PINGS = `  ping_interval: "1s"
  ping_max: 3
`;

function configuration(settings: ServerSettings): string {
  const { name, host, directory, port, routes, monitorPort, syncsAlways, accounts } = settings;
  const { knowsRoutePings, maxPayloadBytes } = settings;
  const cluster =
    routes === undefined
      ? ''
      : `cluster {
  name: buttonwood
  listen: "${routes.own}"
  routes: [${routes.to.map((route) => `"nats-route://${route}"`).join(', ')}]
${routes.areSecret ? HIDDEN : ''}${knowsRoutePings ? ROUTE_PINGS : ''}}
`;
  return `server_name: "${name}"
listen: "${host}:${port}"
${maxPayloadBytes === undefined ? '' : `max_payload: ${maxPayloadBytes}\n`}http: "${host}:${monitorPort}"
jetstream {
  store_dir: ${JSON.stringify(join(directory, 'streams'))}
  max_memory_store: 256MB
  max_file_store: 64GB
${syncsAlways ? '  sync_interval: always\n' : ''}}
${accounts}
${cluster}`;
}

function userConfig({ user, pass }: typeof EXCHANGE_USER | typeof SYSTEM_USER): string {
  return `{ user: "${user}", password: "${pass}" }`;
}

function findNatsServer(): string | undefined {
  const named = process.env.BUTTONWOOD_NATS_SERVER;
  if (named) return existsSync(named) ? named : undefined;
  const path = `${process.env.PATH ?? ''}:/usr/sbin:/usr/local/sbin`;
  return Bun.which('nats-server', { PATH: path }) ?? undefined;
}

/** Such as 2.9.10. */
function readVersion(binary: string): string {
  const { stdout } = Bun.spawnSync([binary, '--version']);
  return stdout.toString().match(/\d+\.\d+\.\d+/)?.[0] ?? 'unknown';
}

function isSince(version: string, leastMajor: number, leastMinor: number): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}
