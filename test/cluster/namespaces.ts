import type { Link, Network } from './network.ts';

/** A range reserved for network benchmarks (RFC 2544). One run uses 256 addresses of it. */
const SUBNETS = 512;
/** An unused address: packets to it are lost without an error. */
const NO_ONE = '02:00:00:00:00:00';
const SIGNALS = { SIGINT: 2, SIGTERM: 15 } as const;

/** Returns why namespaces are unavailable, or undefined if they are available. */
export function namespacesProblem(): string | undefined {
  if (Bun.which('ip') === null) return 'there is no ip (Debian: apt-get install iproute2)';
  if (Bun.which('nsenter') === null) return 'there is no nsenter (Debian: util-linux)';
  try {
    Namespaces.make(['probe']).close();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/**
 * Runs each part in its own network namespace, with an address that exists on this machine only. A bridge connects them,
 * in a namespace too, so that the machine's firewall does not filter their packets. The namespaces are named after the
 * process that created them, and removed when it ends, except by SIGKILL.
 */
export class Namespaces implements Network {
  readonly canDelay = false;
  readonly harness: string;
  private readonly prefix = `buttonwood-${process.pid}`;
  private readonly outside = `bw${process.pid}`;
  private readonly remove = () => this.close();
  private readonly interrupt = (signal: keyof typeof SIGNALS) => {
    process.exit(128 + SIGNALS[signal]);
  };

  private constructor(
    private readonly parts: readonly string[],
    private readonly subnet: string,
  ) {
    this.harness = `${subnet}.1`;
  }

  /** @throws Error with the system's message if it does not permit this */
  static make(parts: readonly string[]): Namespaces {
    const made = new Namespaces(parts, freeSubnet());
    process.once('exit', made.remove);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, made.interrupt);
    try {
      made.build();
    } catch (error) {
      made.close();
      throw error;
    }
    return made;
  }

  address(part: string): string {
    return `${this.subnet}.${this.readNumber(part)}`;
  }

  /** `ip netns exec` mounts another /sys, which would hide the memory limits from the part. */
  within(part: string): readonly string[] {
    return ['nsenter', `--net=/var/run/netns/${this.toName(part)}`, '--'];
  }

  async way(_from: string, to: string, port: number): Promise<string> {
    return `${this.address(to)}:${port}`;
  }

  links(one: string, other: string): readonly Link[] {
    return [
      {
        cut: () => {
          this.lose(one, other);
          this.lose(other, one);
        },
        hold: () => this.lose(one, other),
        repair: () => {
          this.find(one, other);
          this.find(other, one);
        },
      },
    ];
  }

  /** Kills the processes that still run in it. */
  close(): void {
    process.off('exit', this.remove);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, this.interrupt);
    // A namespace and its interfaces disappear some time after its last process.
    if (output('link', 'show', this.outside) !== '') ip('link', 'delete', this.outside);
    const own = output('netns', 'list').match(new RegExp(`^${this.prefix}-\\S+`, 'gm')) ?? [];
    for (const name of own) {
      for (const pid of output('netns', 'pids', name).split('\n').filter(Boolean)) {
        try {
          process.kill(Number(pid), 'SIGKILL');
        } catch {
          // It has just ended.
        }
      }
      ip('netns', 'delete', name);
    }
  }

  private build(): void {
    const { outside, harness } = this;
    const bridge = this.toName('bridge');
    ip('netns', 'add', bridge);
    ip('-n', bridge, 'link', 'add', 'bridge', 'type', 'bridge');
    ip('-n', bridge, 'link', 'set', 'bridge', 'up');
    ip('link', 'add', outside, 'type', 'veth', 'peer', 'name', 'harness', 'netns', bridge);
    ip('address', 'add', `${harness}/24`, 'dev', outside);
    ip('link', 'set', outside, 'up');
    ip('-n', bridge, 'link', 'set', 'harness', 'master', 'bridge', 'up');
    for (const part of this.parts) this.join(part, bridge);
  }

  private join(part: string, bridge: string): void {
    const name = this.toName(part);
    const plug = `part${this.readNumber(part)}`;
    ip('netns', 'add', name);
    ip('-n', bridge, 'link', 'add', plug, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
    ip('-n', bridge, 'link', 'set', plug, 'master', 'bridge', 'up');
    ip('-n', name, 'address', 'add', `${this.address(part)}/24`, 'dev', 'eth0');
    ip('-n', name, 'link', 'set', 'eth0', 'up');
    ip('-n', name, 'link', 'set', 'lo', 'up');
  }

  /** Drops the packets from `from` to `to`. */
  private lose(from: string, to: string): void {
    const terms = ['lladdr', NO_ONE, 'nud', 'permanent'];
    const neighbor = ['neighbor', 'replace', this.address(to), 'dev', 'eth0', ...terms];
    ip('-n', this.toName(from), ...neighbor);
  }

  /** Reverts `lose`: the address is resolved again. */
  private find(from: string, to: string): void {
    const neighbor = ['neighbor', 'flush', 'to', this.address(to), 'nud', 'permanent'];
    ip('-n', this.toName(from), ...neighbor);
  }

  private toName(part: string): string {
    return `${this.prefix}-${part}`;
  }

  /** Returns the last number of a part's address. */
  private readNumber(part: string): number {
    const index = this.parts.indexOf(part);
    if (index < 0) throw new Error(`There is no part ${part}`);
    return index + 2;
  }
}

/** Returns a subnet without an address of this machine. Simultaneous runs start the search at different ones. */
function freeSubnet(): string {
  const taken = output('-4', '-oneline', 'address', 'show');
  for (let index = 0; index < SUBNETS; index++) {
    const at = (process.pid + index) % SUBNETS;
    const subnet = `198.${18 + (at >> 8)}.${at & 255}`;
    if (!taken.includes(` ${subnet}.`)) return subnet;
  }
  throw new Error('198.18.0.0/15 is taken');
}

function ip(...words: string[]): void {
  const { success, stderr } = Bun.spawnSync(['ip', ...words]);
  if (!success) throw new Error(`ip ${words.join(' ')}: ${`${stderr}`.trim()}`);
}

/** Returns '' if it fails. */
function output(...words: string[]): string {
  return Bun.spawnSync(['ip', ...words]).stdout.toString();
}
