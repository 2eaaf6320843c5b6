import { join } from 'node:path';
import type { NatsConnection } from '@nats-io/transport-node';
import { connectToNats } from '../../src/cluster/connection.ts';
import {
  type Credential,
  ExchangeProcess,
  freePort,
  temporaryDirectory,
} from '../process/exchange-process.ts';
import { Link } from './link.ts';
import { EXCHANGE_USER, type Nats, type NatsServer, startNats } from './nats.ts';
import { type PostgresServer, startPostgres } from './postgres.ts';

export const STREAM = 'buttonwood';
const SERVERS = 3;
const NODES = ['a', 'b', 'c'] as const;

/** One exchange of three nodes, three NATS servers and a PostgreSQL, and the ways between them. */
export class Cluster {
  /** Of each pair of servers, both ways: whichever of them connects. */
  private readonly between: ReadonlyMap<string, Link>;

  private constructor(
    readonly nats: Nats,
    readonly postgres: PostgresServer,
    readonly databaseUrl: string,
    readonly nodes: readonly ClusterNode[],
    between: ReadonlyMap<string, Link>,
    private readonly directory: ReturnType<typeof temporaryDirectory>,
  ) {
    this.between = between;
  }

  /** @param env For every node. */
  static async start(env: Record<string, string> = {}): Promise<Cluster> {
    const directory = temporaryDirectory();
    const between = new Map<string, Link>();
    const [nats, postgres] = await Promise.all([
      startNats({
        servers: SERVERS,
        routeThrough: async (from, to, port) => {
          const link = await Link.to(port);
          between.set(`${from} ${to}`, link);
          return link.port;
        },
      }),
      startPostgres(),
    ]);
    const databaseUrl = await postgres.createDatabase('exchange');
    const nodes = await Promise.all(
      NODES.map((name) => ClusterNode.make(name, directory.path, nats, databaseUrl, env)),
    );
    const cluster = new Cluster(nats, postgres, databaseUrl, nodes, between, directory);
    try {
      await Promise.all(nodes.map((node) => node.start()));
    } catch (error) {
      await cluster.stop();
      throw error;
    }
    return cluster;
  }

  /** Of whoever began the exchange. */
  credential(name: string): Credential {
    const found = this.nodes.flatMap((node) => node.process?.credentials ?? []);
    return found.find((credential) => credential.name === name)!;
  }

  /** A connection of the test's own, around all links. */
  connect(): Promise<NatsConnection> {
    const servers = this.nats.urls.map((url) => url.replace('nats://', ''));
    const { user, pass: password } = EXCHANGE_USER;
    return connectToNats({ servers, isTls: false, user, password }, 'test');
  }

  /** The way between two servers, both ways. */
  linksBetween(one: number, other: number): Link[] {
    return [this.between.get(`${one} ${other}`)!, this.between.get(`${other} ${one}`)!];
  }

  /** Which of the servers leads the stream, as one of them says that runs; undefined while none does. */
  async leader(): Promise<number | undefined> {
    for (const server of this.nats.servers) {
      if (server.pid === undefined) continue;
      const name = await leaderSaidBy(server);
      const index = this.nats.servers.findIndex((each) => each.name === name);
      if (index >= 0 && this.nats.servers[index]!.pid !== undefined) return index;
    }
    return undefined;
  }

  /** Ends the nodes in order: what they have to write is written. @throws where one does not end well */
  async stopNodes(): Promise<void> {
    const ended = await Promise.all(this.nodes.map((node) => node.drain()));
    const wrong = ended.find((end) => end !== undefined && end.exitCode !== 0);
    if (wrong !== undefined)
      throw new Error(`a node ended with ${wrong.exitCode}: ${wrong.output}`);
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.kill()));
    for (const link of [...this.between.values(), ...this.nodes.flatMap((node) => node.links)]) {
      link.close();
    }
    await this.postgres.stop();
    await this.nats.stop();
    this.directory.remove();
  }
}

interface AccountOfStream {
  readonly stream_detail?: readonly {
    readonly name: string;
    readonly cluster?: { readonly leader?: string };
  }[];
}

async function leaderSaidBy(server: NatsServer): Promise<string | undefined> {
  const page = await server.monitor('/jsz?streams=true&accounts=true');
  const accounts = (page?.account_details ?? []) as readonly AccountOfStream[];
  const streams = accounts.flatMap(({ stream_detail }) => stream_detail ?? []);
  return streams.find(({ name }) => name === STREAM)?.cluster?.leader;
}

/** One node, which keeps its name, port and data directory through every start. */
export class ClusterNode {
  /** Undefined before its first start and after an end. */
  process: ExchangeProcess | undefined;
  /** How it ended without being told to. */
  failure: string | undefined;
  private isEnding = false;

  private constructor(
    readonly name: string,
    readonly baseUrl: string,
    /** To each of the servers. */
    readonly natsLinks: readonly Link[],
    readonly postgresLink: Link,
    private readonly dataDirectory: string,
    private readonly env: Record<string, string>,
  ) {}

  static async make(
    name: string,
    directory: string,
    nats: Nats,
    databaseUrl: string,
    more: Record<string, string>,
  ): Promise<ClusterNode> {
    const portOf = (url: string) => Number(new URL(url).port);
    const natsLinks = await Promise.all(nats.urls.map((url) => Link.to(portOf(url))));
    const postgresLink = await Link.to(portOf(databaseUrl));
    const database = new URL(databaseUrl);
    database.port = `${postgresLink.port}`;
    const port = `${await freePort()}`;
    const env = {
      ...{ PORT: port, BUTTONWOOD_NODE: name, BUTTONWOOD_DATABASE: database.href },
      BUTTONWOOD_LOG: natsLinks.map((link) => `nats://127.0.0.1:${link.port}`).join(','),
      BUTTONWOOD_LOG_STREAM: STREAM,
      BUTTONWOOD_LOG_REPLICAS: `${nats.servers.length}`,
      ...more,
    };
    const baseUrl = `http://127.0.0.1:${port}`;
    return new ClusterNode(name, baseUrl, natsLinks, postgresLink, join(directory, name), env);
  }

  get links(): readonly Link[] {
    return [...this.natsLinks, this.postgresLink];
  }

  /** Resolves once it serves. */
  async start(): Promise<void> {
    this.isEnding = false;
    const process = await ExchangeProcess.start(this.dataDirectory, this.env);
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

  /** Ends it as an operator does. */
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
