import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** A mail server that keeps the mails it receives. Clients may send without signing in. */
export class SmtpSink {
  /** Rejects every sign-in, with the credentials repeated in the error message. */
  rejectsLogin = false;
  private readonly mails: { readonly to: readonly string[]; readonly text: string }[] = [];
  private readonly server: SMTPServer;
  private wake = () => {};

  private constructor() {
    this.server = new SMTPServer({
      authMethods: ['PLAIN'],
      authOptional: true,
      allowInsecureAuth: true,
      disabledCommands: ['STARTTLS'],
      disableReverseLookup: true,
      closeTimeout: 1,
      onAuth: ({ username, password }, _session, callback) => {
        if (!this.rejectsLogin) return callback(null, { user: username });
        const sent = Buffer.from(`\0${username}\0${password}`).toString('base64');
        callback(new Error(`Invalid login: AUTH PLAIN ${sent}`));
      },
      onData: async (stream, { envelope }, callback) => {
        const encoded = await text(stream);
        this.mails.push({
          to: envelope.rcptTo.map(({ address }) => address),
          // Decodes the quoted-printable forms that occur in links.
          text: encoded.replaceAll('=\r\n', '').replaceAll('=3D', '='),
        });
        this.wake();
        callback();
      },
    });
  }

  static async start(): Promise<SmtpSink> {
    const sink = new SmtpSink();
    await new Promise<void>((resolve) => sink.server.listen(0, '127.0.0.1', resolve));
    return sink;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.server.server.address() as AddressInfo).port}`;
  }

  /** Removes the first mail with a link to an address, and returns the token of the link. */
  async tokenFor(address: string): Promise<string> {
    for (;;) {
      const index = this.mails.findIndex(
        (mail) => mail.to.includes(address) && mail.text.includes('#token='),
      );
      if (index >= 0) return /#token=([\w-]+)/.exec(this.mails.splice(index, 1)[0]!.text)![1]!;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.server.close(resolve));
  }
}
