import { below, type Random, seededRandom } from '../../src/storage/seeded-random.ts';
import type { Credential } from '../process/exchange-process.ts';
import { Cluster, type ClusterOptions } from './cluster.ts';
import { FAULTS, type Fault, type Harm, restoreServers } from './faults.ts';
import { judge, type Report } from './harm-expectations.ts';
import { History } from './history.ts';
import { type Key, KeyChanger, Trader } from './load.ts';
import { StreamReader } from './reader.ts';
import { StreamRecorder } from './stream-recorder.ts';

const TRADERS = 12;
const READERS = 3;
const KEY_OWNER = 'keys';
const REPEAT_EVERY_MS = 250;
const CALM_MS = 500;
const RECOVERED_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 1_000;

/** Simultaneous faults and their duration. */
export interface Step {
  readonly faults: readonly Fault[];
  readonly lastsMs: number;
}

/** The faults of a run, one step after the other. */
export type Plan = (random: Random, cluster: Cluster) => Iterable<Step>;

interface RunOptions extends ClusterOptions {
  /** At least the number of readers. */
  readonly traders?: number;
}

/**
 * Runs a cluster under load while faults are injected, and checks all responses that its clients received.
 * @param plan Ends the run when it is over.
 * @throws Error that lists all violations
 */
export async function runChaos(
  seed: number,
  plan: Plan,
  { traders = TRADERS, env, links, say = () => {} }: RunOptions = {},
): Promise<Report> {
  const cluster = await Cluster.start({
    env: { BUTTONWOOD_RATE_LIMITS: 'off', ...env },
    links,
    say,
  });
  try {
    return await new Chaos(seed, traders, cluster, say).run(plan);
  } finally {
    await cluster.stop();
  }
}

/** The records of a run. */
export interface Gathered {
  readonly cluster: Cluster;
  readonly history: History;
  readonly harms: readonly Harm[];
  readonly keys: ReadonlyMap<string, Key>;
  readonly readers: readonly StreamReader[];
  readonly recorder: StreamRecorder;
  readonly longestRecoveryMs: number;
}

class Chaos {
  private readonly random: Random;
  private readonly history = new History();
  private readonly harms: Harm[] = [];
  private readonly keys = new Map<string, Key>();
  private readonly readers: StreamReader[] = [];
  private isOver = false;
  private longestRecoveryMs = 0;

  constructor(
    private readonly seed: number,
    private readonly traders: number,
    private readonly cluster: Cluster,
    private readonly say: (line: string) => void,
  ) {
    this.random = seededRandom(seed);
  }

  async run(plan: Plan): Promise<Report> {
    const { cluster } = this;
    const operator = cluster.credential('operator');
    const recorder = await StreamRecorder.start(await cluster.connect());
    await this.openAccounts(operator);
    const load = [
      ...this.startClients(operator),
      this.repeatMessages(recorder),
      this.watchTrims(recorder),
    ];
    try {
      for (const step of plan(this.random, cluster)) await this.harm(step);
    } finally {
      this.isOver = true;
      await Promise.all(load);
    }
    await Promise.all(this.readers.map((reader) => reader.finish()));
    const { history, harms, keys, readers, longestRecoveryMs } = this;
    history.received.push(...readers.map(({ received }) => received));
    return judge({ cluster, history, harms, keys, readers, recorder, longestRecoveryMs });
  }

  private async openAccounts(operator: Credential): Promise<void> {
    const node = this.cluster.nodes[0]!.process!;
    const post = async (path: string, body: object) => {
      const { status, json } = await node.send(operator, 'POST', path, JSON.stringify(body));
      if (status !== 200) throw new Error(`${path}: ${JSON.stringify(json)}`);
      return json.data;
    };
    const names = [
      ...Array.from({ length: this.traders }, (_, index) => `trader-${index}`),
      KEY_OWNER,
    ];
    for (const accountId of names) {
      await post('/api/admin/accounts', { accountId });
      const { key, apiSecret } = await post(`/api/admin/accounts/${accountId}/keys`, {
        label: 'test',
        permissions: ['read', 'trade'],
      });
      this.keys.set(accountId, { apiKey: key.apiKey, apiSecret });
      for (const [asset, amount] of [
        ['USDT', 10_000_000],
        ['BTC', 100],
      ] as const) {
        const reference = `${accountId}-${asset}`;
        const transfer = { account: accountId, asset, amount, reference, reason: 'test' };
        await post('/api/admin/transfers', transfer);
      }
    }
  }

  private startClients(operator: Credential): Promise<void>[] {
    const { history, keys, seed } = this;
    const { nodes } = this.cluster;
    const isOver = () => this.isOver;
    const common = { history, nodes, isOver };
    const traders = Array.from({ length: this.traders }, (_, index) => {
      const account = `trader-${index}`;
      const key = keys.get(account)!;
      return new Trader(index, { ...common, account, key, seed: seed + index + 1 });
    });
    for (let index = 0; index < READERS; index++) {
      const account = `trader-${index}`;
      const reader = `reader ${index}`;
      this.readers.push(
        new StreamReader(reader, account, keys.get(account)!, nodes, seed + 100 + index),
      );
    }
    const changer = { ...common, account: 'operator', key: operator, seed: seed + 200 };
    return [
      ...traders.map((trader) => trader.run()),
      ...this.readers.map((reader) => reader.run(isOver)),
      new KeyChanger(changer, KEY_OWNER).run(),
    ];
  }

  private async repeatMessages(recorder: StreamRecorder): Promise<void> {
    const random = seededRandom(this.seed + 300);
    while (!this.isOver) {
      await Bun.sleep(below(2 * REPEAT_EVERY_MS, random));
      await recorder.repeat(random);
    }
  }

  private async watchTrims(recorder: StreamRecorder): Promise<void> {
    while (!this.isOver) {
      await Bun.sleep(LOOK_EVERY_MS);
      await recorder.checkForTrim();
    }
  }

  private async harm({ faults, lastsMs }: Step): Promise<void> {
    const { cluster, random } = this;
    const node = cluster.nodes[below(cluster.nodes.length, random)]!;
    await Promise.all(
      faults.map(async ({ name, cost, isNodeFault, run }) => {
        const harm: Harm = {
          name,
          cost,
          node: isNodeFault ? node.name : undefined,
          beganAt: performance.now(),
          endedAt: Infinity,
        };
        this.harms.push(harm);
        await run({ cluster, node, random }, lastsMs);
        harm.endedAt = performance.now();
        this.say(`${name}${isNodeFault ? ` (${node.name})` : ''}, ${lastsMs} ms`);
      }),
    );
    if (faults.some((fault) => fault === FAULTS.loseMajority)) await restoreServers(cluster);
    await this.recovered();
    await Bun.sleep(CALM_MS);
  }

  /** Resolves once every node accepts orders and answers history queries. */
  private async recovered(): Promise<void> {
    const { cluster, keys } = this;
    const key = keys.get(KEY_OWNER)!;
    const begin = performance.now();
    for (;;) {
      const failure = cluster.nodes.find((node) => node.failure !== undefined)?.failure;
      if (failure !== undefined) throw new Error(failure);
      const answers = await Promise.all(
        cluster.nodes.flatMap(({ process }) =>
          ['/api/portfolio/balances', '/api/fills', '/api/status'].map((path) =>
            process!.send(key, 'GET', path).catch(() => ({ status: 0, json: undefined })),
          ),
        ),
      );
      const tookMs = performance.now() - begin;
      this.longestRecoveryMs = Math.max(this.longestRecoveryMs, tookMs);
      const isWell = answers.every(
        ({ status, json }) => status === 200 && (json.data.status ?? 'ok') === 'ok',
      );
      if (isWell) return;
      if (tookMs > RECOVERED_WITHIN_MS) {
        throw new Error(`not all nodes are well after ${tookMs} ms: ${JSON.stringify(answers)}`);
      }
      await Bun.sleep(100);
    }
  }
}
