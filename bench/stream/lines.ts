/** Reads the output of a process line by line. */
export class Lines {
  private readonly chunks: AsyncIterator<Uint8Array>;
  private readonly decoder = new TextDecoder();
  private text = '';

  constructor(readonly child: Bun.Subprocess<'ignore', 'pipe', 'inherit'>) {
    this.chunks = child.stdout[Symbol.asyncIterator]();
  }

  /** @throws Error if the process ends before it has printed another line. */
  async next(): Promise<string> {
    for (;;) {
      const end = this.text.indexOf('\n');
      if (end >= 0) {
        const line = this.text.slice(0, end);
        this.text = this.text.slice(end + 1);
        return line;
      }
      const { done, value } = await this.chunks.next();
      if (done) throw new Error('a process ended early');
      this.text += this.decoder.decode(value, { stream: true });
    }
  }
}
