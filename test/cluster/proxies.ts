import { createServer, connect as dial, type Server, type Socket } from 'node:net';
import type { Link, Network } from './network.ts';

const HOST = '127.0.0.1';

/** Runs all parts on loopback with TCP proxies between them. Works on any machine, but closes connections instead of losing packets. */
export class Proxies implements Network {
  readonly harness = HOST;
  readonly canDelay = true;
  private readonly ways: { readonly from: string; readonly to: string; readonly link: TcpProxy }[] =
    [];

  address(): string {
    return HOST;
  }

  within(): readonly string[] {
    return [];
  }

  async way(from: string, to: string, port: number): Promise<string> {
    const link = await TcpProxy.to(port);
    this.ways.push({ from, to, link });
    return `${HOST}:${link.port}`;
  }

  links(one: string, other: string): readonly Link[] {
    const both = [`${one} ${other}`, `${other} ${one}`];
    return this.ways
      .filter(({ from, to }) => both.includes(`${from} ${to}`))
      .map(({ link }) => link);
  }

  close(): void {
    for (const { link } of this.ways.splice(0)) link.close();
  }
}

/** A proxy for one port. */
class TcpProxy implements Link {
  /** The address at which the connecting part finds the other one. */
  readonly port: number;
  private readonly server: Server;
  private readonly pairs = new Set<Pair>();
  private state: 'open' | 'held' | 'cut' = 'open';
  private delayMs = 0;

  private constructor(server: Server, target: number) {
    this.server = server;
    this.port = (server.address() as { port: number }).port;
    server.on('connection', (near) => this.accept(near, target));
  }

  static async to(target: number): Promise<TcpProxy> {
    // A half-closed connection is ended with its other half.
    const server = createServer({ pauseOnConnect: true });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, HOST, resolve);
    });
    return new TcpProxy(server, target);
  }

  /** Ends all connections, and every new one at once, like a router that rejects them. */
  cut(): void {
    this.state = 'cut';
    for (const pair of this.pairs) pair.end();
  }

  /** Delays all data until `repair`, with connections left open, like a network that loses packets. */
  hold(): void {
    this.state = 'held';
    for (const pair of this.pairs) pair.hold();
  }

  /** Delays all data. */
  delay(delayMs: number): void {
    this.delayMs = delayMs;
  }

  repair(): void {
    this.state = 'open';
    this.delayMs = 0;
    for (const pair of this.pairs) pair.release();
  }

  close(): void {
    this.cut();
    this.server.close();
  }

  private accept(near: Socket, target: number): void {
    if (this.state === 'cut') {
      near.destroy();
      return;
    }
    const pair = new Pair(near, target, () => this.delayMs);
    this.pairs.add(pair);
    near.once('close', () => this.pairs.delete(pair));
    if (this.state === 'open') pair.release();
  }
}

/** One connection through a link. While it is held, nothing passes, including its opening and its end. */
class Pair {
  private far: Socket | undefined;
  private isHeld = true;
  /** Data that waits for `release`, in order. */
  private waiting: (() => void)[] = [];

  constructor(
    private readonly near: Socket,
    private readonly target: number,
    private readonly delayMs: () => number,
  ) {
    near.setNoDelay(true);
    near.on('error', () => {});
  }

  hold(): void {
    this.isHeld = true;
    this.near.pause();
    this.far?.pause();
  }

  release(): void {
    this.isHeld = false;
    this.far ??= this.reach();
    for (const go of this.waiting.splice(0)) go();
    this.near.resume();
    this.far.resume();
  }

  end(): void {
    this.waiting = [];
    this.near.destroy();
    this.far?.destroy();
  }

  private reach(): Socket {
    const far = dial(this.target, HOST);
    far.setNoDelay(true);
    far.on('error', () => {});
    this.forward(this.near, far);
    this.forward(far, this.near);
    return far;
  }

  private forward(from: Socket, to: Socket): void {
    from.on('data', (bytes) => {
      this.later(() => {
        if (to.destroyed || to.write(bytes)) return;
        from.pause();
        to.once('drain', () => {
          if (!this.isHeld) from.resume();
        });
      });
    });
    from.once('close', () => this.later(() => to.destroy()));
  }

  /** Keeps the order: the delay of a link changes only while the link works. */
  private later(go: () => void): void {
    const delayMs = this.delayMs();
    const pass = () => {
      if (this.isHeld) this.waiting.push(go);
      else go();
    };
    if (delayMs === 0) pass();
    else setTimeout(pass, delayMs);
  }
}
