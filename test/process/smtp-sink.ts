import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** A mail server that keeps the mails it receives. */
export class SmtpSink {
  readonly mails: string[] = [];
  /** Whether it rejects logins. The rejection repeats the credentials, as some mail servers do. */
  rejectsLogin = false;
  private readonly server: SMTPServer;
  private wake = () => {};

  private constructor() {
    this.server = new SMTPServer({
      authOptional: true,
      allowInsecureAuth: true,
      disabledCommands: ['STARTTLS'],
      onAuth: ({ username, password }, _session, callback) => {
        if (this.rejectsLogin) callback(new Error(`wrong login ${username} ${password}`));
        else callback(null, { user: username });
      },
      onData: (stream, _session, callback) => {
        text(stream).then((mail) => {
          // Decodes quoted-printable, as far as it matters here.
          this.mails.push(mail.replaceAll('=\r\n', '').replaceAll('=3D', '='));
          this.wake();
          callback();
        }, callback);
      },
    });
  }

  static async open(): Promise<SmtpSink> {
    const sink = new SmtpSink();
    await new Promise<void>((resolve) => sink.server.listen(0, '127.0.0.1', resolve));
    return sink;
  }

  get url(): string {
    const { port } = this.server.server.address() as AddressInfo;
    return `smtp://127.0.0.1:${port}`;
  }

  /** Waits for a mail with a link to an address, removes it, and returns the link's token. */
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
    this.server.close();
  }
}
