import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { Namespaces, namespacesProblem } from './namespaces.ts';

// Skipped if namespaces are unavailable, also in CI: a container may forbid them, and proxies then cut the links.
const problem = namespacesProblem();
if (problem !== undefined) console.warn(`Links of network namespaces: not run, ${problem}.`);

const PORT = 7000;
/** Far longer than the latency of a packet. */
const NOTHING_MS = 300;

/** Prints everything that it receives from any connection. */
const LISTENER = `
  Bun.listen({ hostname: process.argv[1], port: ${PORT}, socket: {
    data: (_, bytes) => process.stdout.write(bytes),
  } });
  process.stdout.write('listening ');`;

/** Forwards its input over one connection, and prints when that ends. */
const SPEAKER = `
  const end = () => process.stdout.write('ended ');
  const socket = await Bun.connect({ hostname: process.argv[1], port: ${PORT}, socket: {
    data: () => {}, close: end, error: end,
  } });
  process.stdout.write('connected ');
  for await (const bytes of process.stdin) socket.write(bytes);`;

describe.skipIf(problem !== undefined)('links of network namespaces', () => {
  let network: Namespaces;
  let listener: Part;
  let speaker: Part;

  beforeAll(async () => {
    network = Namespaces.make(['speaker', 'listener']);
    listener = new Part(network, 'listener', LISTENER);
    await listener.says('listening ');
    speaker = new Part(network, 'speaker', SPEAKER);
    await speaker.says('connected ');
  });

  afterAll(() => network.close());

  test.each(['cut', 'hold'] as const)(
    '%s: data is lost without an error, and arrives once the link is repaired',
    async (harm) => {
      const [link] = network.links('speaker', 'listener');
      speaker.say(`before-${harm} `);
      await listener.says(`before-${harm} `);
      link![harm]();
      speaker.say(`meanwhile-${harm} `);
      await Bun.sleep(NOTHING_MS);
      expect(listener.output).not.toContain('meanwhile');
      // The test still reaches the part that the others cannot.
      const own = await Bun.connect({
        hostname: network.address('listener'),
        port: PORT,
        socket: { data: () => {} },
      });
      own.end(`test-${harm} `);
      await listener.says(`test-${harm} `);
      expect(listener.output).not.toContain('meanwhile');
      link!.repair();
      await listener.says(`meanwhile-${harm} `);
      listener.output = '';
      expect(speaker.output).toBe('connected ');
    },
  );

  test('are removed with their processes when their creator is stopped', async () => {
    const script = `
      const { Namespaces } = await import(${JSON.stringify(`${import.meta.dir}/namespaces.ts`)});
      const network = Namespaces.make(['part']);
      Bun.spawn([...network.within('part'), 'sleep', '60'], { stdout: 'ignore' });
      console.log('made');
      setInterval(() => {}, 1000);`;
    const maker = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe' });
    await maker.stdout.getReader().read();
    expect(listRemains(maker.pid)).toContain('-part');
    maker.kill('SIGTERM');
    expect(await maker.exited).toBe(143);
    expect(listRemains(maker.pid)).toBe('');
  });
});

/** A program that runs in a part of the network. */
class Part {
  output = '';
  private readonly child: Bun.Subprocess<'pipe', 'pipe', 'inherit'>;
  private onOutput: () => void = () => {};

  constructor(network: Namespaces, name: string, program: string) {
    const command = [process.execPath, '-e', program, network.address('listener')];
    this.child = Bun.spawn([...network.within(name), ...command], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    void this.listen();
  }

  say(text: string): void {
    this.child.stdin.write(text);
    this.child.stdin.flush();
  }

  /** Resolves once it has printed that. */
  async says(text: string): Promise<void> {
    while (!this.output.includes(text)) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.onOutput = resolve;
      await promise;
    }
  }

  private async listen(): Promise<void> {
    for await (const text of this.child.stdout.pipeThrough(new TextDecoderStream())) {
      this.output += text;
      this.onOutput();
    }
  }
}

function listRemains(pid: number): string {
  const list = Bun.spawnSync(['ip', 'netns', 'list']).stdout.toString();
  return list
    .split('\n')
    .filter((line) => line.startsWith(`buttonwood-${pid}-`))
    .join('\n');
}
