import type { Socket } from 'bun';

/** A mail server that keeps its mails (the part of RFC 5321 that a client needs). */
export class SmtpSink {
  readonly mails: string[] = [];
  /** Whether it requires a login. A rejection repeats the login that was sent. */
  login: 'open' | 'asked' | 'refused' = 'open';
  private readonly server: Bun.TCPSocketListener<{ text: string; isData: boolean }>;
  private wake = () => {};

  constructor() {
    this.server = Bun.listen<{ text: string; isData: boolean }>({
      hostname: '127.0.0.1',
      port: 0,
      socket: {
        open: (socket) => {
          socket.data = { text: '', isData: false };
          socket.write('220 sink\r\n');
        },
        data: (socket, bytes) => {
          socket.data.text += bytes.toString();
          this.read(socket);
        },
      },
    });
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.server.port}`;
  }

  /** Returns the token in the next mail to an address with a link. */
  async tokenFor(address: string): Promise<string> {
    for (;;) {
      const found = this.mails.findIndex(
        (mail) => mail.includes(`To: ${address}\r\n`) && mail.includes('#token='),
      );
      if (found >= 0) return /#token=([\w-]+)/.exec(this.mails.splice(found, 1)[0]!)![1]!;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }

  stop(): void {
    this.server.stop(true);
  }

  private read(socket: Socket<{ text: string; isData: boolean }>): void {
    const { data } = socket;
    for (;;) {
      const end = data.isData ? '\r\n.\r\n' : '\r\n';
      const at = data.text.indexOf(end);
      if (at < 0) return;
      const part = data.text.slice(0, at + 2);
      data.text = data.text.slice(at + end.length);
      if (data.isData) {
        // Quoted-printable: lines may be continued, and equals signs are encoded.
        this.mails.push(part.replaceAll('=\r\n', '').replaceAll('=3D', '='));
        data.isData = false;
        this.wake();
        socket.write('250 kept\r\n');
      } else if (part.startsWith('DATA')) {
        data.isData = true;
        socket.write('354 send data\r\n');
      } else if (part.startsWith('EHLO') && this.login !== 'open') {
        socket.write('250-sink\r\n250 AUTH PLAIN\r\n');
      } else if (part.startsWith('AUTH')) {
        socket.write(this.login === 'asked' ? '235 welcome\r\n' : `535 not you: ${part}`);
      } else if (part.startsWith('QUIT')) socket.end('221 bye\r\n');
      else socket.write('250 sink\r\n');
    }
  }
}
