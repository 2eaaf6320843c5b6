import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { NatsConnection } from '@nats-io/transport-node';
import { connectToNats } from '../../src/cluster/stream/connection.ts';
import { freePort } from '../free-ports.ts';
import {
  type Credential,
  ExchangeProcess,
  temporaryDirectory,
} from '../process/exchange-process.ts';
import { EXCHANGE_USER, type Nats, type NatsServer, startNats } from './nats.ts';
import { type LINKS, type Link, makeNetwork, type Network } from './network.ts';
import { type PostgresServer, startPostgres } from './postgres.ts';

export const STREAM = 'buttonwood';
const SERVERS = ['nats-1', 'nats-2', 'nats-3'] as const;
const POSTGRES = 'postgres';
const NODES = ['a', 'b', 'c'] as const;
const FLAGS = ['--preload', './test/process/snapshot-terms.ts'];

export interface ClusterOptions {
  /** Environment of every node. */
  readonly env?: Record<string, string>;
  /** Undefined for namespaces if they are available. */
  readonly links?: (typeof LINKS)[number] | undefined;
  readonly say?: (line: string) => void;
}

/** An exchange of three nodes, three NATS servers and one PostgreSQL, with the links between them. */
export class Cluster {
  /** Stored here, because the node that has them may lose its data directory. */
  private credentials: readonly Credential[] = [];

  private constructor(
    readonly network: Network,
    readonly nats: Nats,
    readonly postgres: PostgresServer,
    readonly databaseUrl: string,
    readonly nodes: readonly ClusterNode[],
    private readonly directory: ReturnType<typeof temporaryDirectory>,
  ) {}

  static async start({ env = {}, links, say = () => {} }: ClusterOptions = {}): Promise<Cluster> {
    const network = makeNetwork([...SERVERS, POSTGRES, ...NODES], links, say);
    try {
      return await Cluster.startOn(network, env);
    } catch (error) {
      network.close();
      throw error;
    }
  }

  private static async startOn(network: Network, env: Record<string, string>): Promise<Cluster> {
    const directory = temporaryDirectory();
    const [nats, postgres] = await Promise.all([
      startNats({ servers: SERVERS.length, network }),
      startPostgres(undefined, network),
    ]);
    const databaseUrl = await postgres.createDatabase('exchange');
    const nodes = await Promise.all(
      NODES.map((name) => ClusterNode.make(name, directory.path, network, nats, databaseUrl, env)),
    );
    const cluster = new Cluster(network, nats, postgres, databaseUrl, nodes, directory);
    try {
      await Promise.all(nodes.map((node) => node.start()));
      cluster.credentials = nodes.flatMap((node) => node.process?.credentials ?? []);
    } catch (error) {
      await cluster.stop();
      throw error;
    }
    return cluster;
  }

  /** Returns the keys of the node that created the exchange. */
  credential(name: string): Credential {
    return this.credentials.find((credential) => credential.name === name)!;
  }

  /** Opens a connection that bypasses all links. */
  connect(): Promise<NatsConnection> {
    const servers = this.nats.urls.map((url) => url.replace('nats://', ''));
    const { user, pass: password } = EXCHANGE_USER;
    return connectToNats({ servers, isTls: false, user, password }, 'test');
  }

  /** Returns the link between two servers. */
  linksBetween(one: number, other: number): readonly Link[] {
    return this.network.links(SERVERS[one]!, SERVERS[other]!);
  }

  /** Returns the number of the stream's leader, as a running server reports it; undefined while there is none. */
  async leader(): Promise<number | undefined> {
    for (const server of this.nats.servers) {
      if (server.pid === undefined) continue;
      const name = await reportedLeader(server);
      const index = this.nats.servers.findIndex((each) => each.name === name);
      if (index >= 0 && this.nats.servers[index]!.pid !== undefined) return index;
    }
    return undefined;
  }

  /** Stops the nodes gracefully. @throws Error if one does not stop cleanly */
  async stopNodes(): Promise<void> {
    const ended = await Promise.all(this.nodes.map((node) => node.drain()));
    const wrong = ended.find((end) => end !== undefined && end.exitCode !== 0);
    if (wrong !== undefined)
      throw new Error(`a node ended with ${wrong.exitCode}: ${wrong.output}`);
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.kill()));
    await this.postgres.stop();
    await this.nats.stop();
    this.network.close();
    this.directory.remove();
  }
}

interface StreamAccount {
  readonly stream_detail?: readonly {
    readonly name: string;
    readonly cluster?: { readonly leader?: string };
  }[];
}

async function reportedLeader(server: NatsServer): Promise<string | undefined> {
  const page = await server.monitor('/jsz?streams=true&accounts=true');
  const accounts = (page?.account_details ?? []) as readonly StreamAccount[];
  const streams = accounts.flatMap(({ stream_detail }) => stream_detail ?? []);
  return streams.find(({ name }) => name === STREAM)?.cluster?.leader;
}

/** A node, which keeps its name and port across starts, and its data directory unless `lose` is called. */
export class ClusterNode {
  /** Undefined before its first start and after it has stopped. */
  process: ExchangeProcess | undefined;
  /** The reason of an unexpected end. */
  failure: string | undefined;
  private isEnding = false;

  private constructor(
    readonly name: string,
    private readonly network: Network,
    private readonly dataDirectory: string,
    private readonly env: Record<string, string>,
  ) {}

  static async make(
    name: string,
    directory: string,
    network: Network,
    nats: Nats,
    databaseUrl: string,
    more: Record<string, string>,
  ): Promise<ClusterNode> {
    const readPort = (url: string) => Number(new URL(url).port);
    const logs = await Promise.all(
      nats.servers.map((server) => network.way(name, server.name, readPort(server.url))),
    );
    const database = new URL(databaseUrl);
    database.host = await network.way(name, POSTGRES, readPort(databaseUrl));
    const env = {
      PORT: `${freePort()}`,
      BUTTONWOOD_NODE: name,
      BUTTONWOOD_HOST: network.address(name),
      // Requests use plain HTTP.
      BUTTONWOOD_TRUSTED_PROXIES: network.harness,
      BUTTONWOOD_DATABASE: database.href,
      BUTTONWOOD_LOG: logs.map((host) => `nats://${host}`).join(','),
      BUTTONWOOD_LOG_STREAM: STREAM,
      BUTTONWOOD_LOG_REPLICAS: `${nats.servers.length}`,
      ...more,
    };
    return new ClusterNode(name, network, join(directory, name), env);
  }

  get baseUrl(): string {
    return `http://${this.env.BUTTONWOOD_HOST}:${this.env.PORT}`;
  }

  /** The links to all servers. */
  get natsLinks(): readonly Link[] {
    return SERVERS.flatMap((server) => this.network.links(this.name, server));
  }

  get postgresLinks(): readonly Link[] {
    return this.network.links(this.name, POSTGRES);
  }

  /** Resolves once it serves requests. */
  async start(): Promise<void> {
    this.isEnding = false;
    const within = this.network.within(this.name);
    const process = await ExchangeProcess.start(this.dataDirectory, this.env, FLAGS, [], within);
    this.process = process;
    void process.ended().then(({ exitCode, output }) => {
      if (this.process !== process || this.isEnding) return;
      this.process = undefined;
      this.failure = `node ${this.name} ended with ${exitCode}: ${output}`;
    });
  }

  async kill(): Promise<void> {
    this.isEnding = true;
    await this.process?.kill();
    this.process = undefined;
  }

  /** Deletes the data of a stopped node: its machine is gone and another takes its name. */
  loseDirectory(): void {
    rmSync(this.dataDirectory, { recursive: true });
  }

  /** Stops it as an operator does. */
  async drain(): Promise<{ exitCode: number; output: string } | undefined> {
    this.isEnding = true;
    const ended = await this.process?.stop();
    this.process = undefined;
    return ended;
  }

  pause(): void {
    this.process?.pause();
  }

  resume(): void {
    this.process?.resume();
  }
}
