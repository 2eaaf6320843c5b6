import { below, type Random } from '../../src/storage/seeded-random.ts';
import type { Cluster, ClusterNode } from './cluster.ts';

/** The permitted effect of a fault, checked by the clients' responses. */
export type Cost =
  /** Orders are accepted again after at most ten seconds. */
  | 'a pause'
  /** Orders are accepted again after half a minute, because a hang is only detected by waiting. */
  | 'a long pause'
  /** Clients of other nodes get at worst a request to retry. */
  | 'its node'
  /** Every order is accepted; only history queries may be rejected. */
  | 'history'
  /** Nothing may be acknowledged. */
  | 'everything';

/** A fault and the time when it lasted, by the clock of `Asked`. */
export interface Harm {
  readonly name: string;
  readonly cost: Cost;
  /** The affected node. */
  readonly node: string | undefined;
  readonly beganAt: number;
  endedAt: number;
}

export interface Fault {
  readonly name: string;
  readonly cost: Cost;
  /** Selects a node if the fault needs one. */
  readonly isNodeFault: boolean;
  /** Injects the fault, waits for about `lastsMs`, and removes it. */
  readonly run: (target: Target, lastsMs: number) => Promise<void>;
}

interface Target {
  readonly cluster: Cluster;
  readonly node: ClusterNode;
  readonly random: Random;
}

const ofNode = { cost: 'its node', isNodeFault: true } as const;
const ofServers = { cost: 'a long pause', isNodeFault: false } as const;
const ofHistory = { cost: 'history', isNodeFault: false } as const;

export const FAULTS = {
  killNode: {
    name: 'node killed',
    ...ofNode,
    run: async ({ node }, lastsMs) => {
      await node.kill();
      await Bun.sleep(lastsMs / 2);
      await node.start();
    },
  },
  replaceNode: {
    name: 'node killed, and its data directory lost',
    ...ofNode,
    run: async ({ node }, lastsMs) => {
      await node.kill();
      node.loseDirectory();
      await Bun.sleep(lastsMs / 2);
      await node.start();
    },
  },
  pauseNode: {
    name: 'node paused',
    ...ofNode,
    run: async ({ node }, lastsMs) => {
      node.pause();
      await Bun.sleep(lastsMs);
      node.resume();
    },
  },
  drainNode: {
    name: 'node drained',
    ...ofNode,
    run: async ({ node }) => {
      const ended = await node.drain();
      if (ended?.exitCode !== 0) throw new Error(`a drained node ended with ${ended?.output}`);
      await node.start();
    },
  },
  cutNode: {
    name: 'node cut off from NATS',
    ...ofNode,
    run: async ({ node, random }, lastsMs) => {
      const isHeld = below(2, random) === 0;
      for (const link of node.natsLinks) {
        if (isHeld) link.hold();
        else link.cut();
      }
      await Bun.sleep(lastsMs);
      for (const link of node.natsLinks) link.repair();
    },
  },
  delayNode: {
    name: 'node far from NATS',
    ...ofNode,
    run: async ({ node, random }, lastsMs) => {
      const delayMs = 50 + below(450, random);
      for (const link of node.natsLinks) link.delay!(delayMs);
      await Bun.sleep(lastsMs);
      for (const link of node.natsLinks) link.repair();
    },
  },
  killLeader: {
    name: 'leader of the stream killed',
    cost: 'a pause',
    isNodeFault: false,
    run: async ({ cluster, random }, lastsMs) => {
      const server = cluster.nats.servers[await findLeader(cluster, random)]!;
      await server.kill();
      await Bun.sleep(lastsMs);
      await server.start();
      await cluster.nats.ready();
    },
  },
  killServer: {
    name: 'NATS server killed',
    ...ofServers,
    run: async ({ cluster, random }, lastsMs) => {
      const server = cluster.nats.servers[below(3, random)]!;
      await server.kill();
      await Bun.sleep(lastsMs);
      await server.start();
      await cluster.nats.ready();
    },
  },
  stopServer: {
    name: 'NATS server restarted',
    ...ofServers,
    run: async ({ cluster, random }) => {
      const server = cluster.nats.servers[below(3, random)]!;
      await server.stop();
      await server.start();
      await cluster.nats.ready();
    },
  },
  pauseLeader: {
    name: 'leader of the stream paused',
    ...ofServers,
    run: async ({ cluster, random }, lastsMs) => {
      const server = cluster.nats.servers[await findLeader(cluster, random)]!;
      server.pause();
      await Bun.sleep(lastsMs);
      server.resume();
      await cluster.nats.ready();
    },
  },
  cutServers: {
    name: 'link between two NATS servers cut',
    ...ofServers,
    run: async ({ cluster, random }, lastsMs) => {
      const one = await findLeader(cluster, random);
      const links = cluster.linksBetween(one, (one + 1 + below(2, random)) % 3);
      const isHeld = below(2, random) === 0;
      for (const link of links) {
        if (isHeld) link.hold();
        else link.cut();
      }
      await Bun.sleep(lastsMs);
      for (const link of links) link.repair();
      await cluster.nats.ready();
    },
  },
  isolateLeader: {
    name: 'leader of the stream cut off from the other servers',
    ...ofServers,
    run: async ({ cluster, random }, lastsMs) => {
      const one = await findLeader(cluster, random);
      const others = [(one + 1) % 3, (one + 2) % 3];
      const links = others.flatMap((other) => cluster.linksBetween(one, other));
      for (const link of links) link.cut();
      await Bun.sleep(lastsMs);
      for (const link of links) link.repair();
      await cluster.nats.ready();
    },
  },
  loseMajority: {
    name: 'two NATS servers of three killed',
    cost: 'everything',
    isNodeFault: false,
    run: async ({ cluster, random }, lastsMs) => {
      const { servers } = cluster.nats;
      const left = below(3, random);
      const gone = servers.filter((_, index) => index !== left);
      await Promise.all(gone.map((server) => server.kill()));
      await Bun.sleep(lastsMs);
    },
  },
  killPostgres: {
    name: 'PostgreSQL killed',
    ...ofHistory,
    run: async ({ cluster }, lastsMs) => {
      await cluster.postgres.kill();
      await Bun.sleep(lastsMs);
      await cluster.postgres.restart();
    },
  },
  restartPostgres: {
    name: 'PostgreSQL restarted',
    ...ofHistory,
    run: ({ cluster }) => cluster.postgres.restart(),
  },
  pausePostgres: {
    name: 'PostgreSQL paused',
    ...ofHistory,
    run: async ({ cluster }, lastsMs) => {
      cluster.postgres.pause();
      await Bun.sleep(lastsMs);
      cluster.postgres.resume();
    },
  },
  cutPostgres: {
    name: 'links to PostgreSQL cut',
    ...ofHistory,
    run: async ({ cluster, random }, lastsMs) => {
      const isHeld = below(2, random) === 0;
      const links = cluster.nodes.flatMap(({ postgresLinks }) => postgresLinks);
      for (const link of links) {
        if (isHeld) link.hold();
        else link.cut();
      }
      await Bun.sleep(lastsMs);
      for (const link of links) link.repair();
    },
  },
} as const satisfies Record<string, Fault>;

/** Restarts the servers that `loseMajority` has stopped, one after the other; the first restores the majority. */
export async function restoreServers(cluster: Cluster): Promise<void> {
  for (const server of cluster.nats.servers) if (server.pid === undefined) await server.start();
  await cluster.nats.ready();
}

async function findLeader(cluster: Cluster, random: Random): Promise<number> {
  return (await cluster.leader()) ?? below(3, random);
}
