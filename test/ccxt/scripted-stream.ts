// biome-ignore lint/suspicious/noExplicitAny: messages of all channels
type Message = any;

/** An exchange with scripted streams; other requests are forwarded to a real one. */
export class ScriptedStream {
  private readonly server: Bun.Server<undefined>;
  private readonly requests: Message[] = [];
  private socket: Bun.ServerWebSocket<undefined> | undefined;
  /** Connections made so far. */
  connections = 0;
  private wake = () => {};

  constructor(exchangeUrl: string) {
    this.server = Bun.serve<undefined>({
      port: 0,
      fetch: (request, server) => {
        const { pathname, search } = new URL(request.url);
        if (pathname !== '/ws') return fetch(`${exchangeUrl}${pathname}${search}`);
        server.upgrade(request);
        return undefined;
      },
      websocket: {
        open: (socket) => {
          this.socket = socket;
          this.connections++;
        },
        message: (_, text) => {
          this.requests.push(JSON.parse(`${text}`));
          this.wake();
        },
      },
    });
  }

  get url(): string {
    return this.server.url.origin;
  }

  /** Returns the next request of the client. */
  async next(): Promise<Message> {
    while (this.requests.length === 0) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    return this.requests.shift();
  }

  get asked(): number {
    return this.requests.length;
  }

  say(message: Message | string): void {
    this.socket!.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** Cuts the connection. */
  drop(code = 1001, reason = ''): void {
    this.socket!.close(code, reason);
  }

  stop(): Promise<void> {
    return this.server.stop(true);
  }
}
