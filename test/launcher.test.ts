import { afterAll, expect, test } from 'bun:test';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBun } from '../bin/find-bun.mjs';

// A separate package with the real launcher and a main.ts whose first argument selects its behavior.
const root = mkdtempSync(join(tmpdir(), 'launcher-'));
const project = join(import.meta.dir, '..');
cpSync(join(project, 'bin'), join(root, 'bin'), { recursive: true });
mkdirSync(join(root, 'src'));
cpSync(join(project, 'src/node/launcher.ts'), join(root, 'src/node/launcher.ts'));
symlinkSync(join(project, 'node_modules'), join(root, 'node_modules'));
writeFileSync(
  join(root, 'src/main.ts'),
  `import { exitWithLauncher, onStopSignal } from './node/launcher.ts';
  const [what, ...rest] = process.argv.slice(2);
  const stay = () => setInterval(() => {}, 1000);
  const say = (text: string) => process.stdout.write(text + '\\n');
  exitWithLauncher(() => { say('launcher gone'); process.exit(1); });
  if (what === 'echo') { say(rest.join()); say(await Bun.stdin.text()); process.exit(7); }
  if (what === 'env') say(String(process.env.BUTTONWOOD_LAUNCHER_FD));
  if (what === 'plain') stay();
  if (what === 'idle') {
    const before = process.cpuUsage();
    await Bun.sleep(500);
    const { user, system } = process.cpuUsage(before);
    say(String((user + system) / 1000));
  }
  if (what === 'serve') {
    onStopSignal(async (signal) => {
      say('stopping ' + signal);
      for await (const line of console) if (line === 'finish') break;
      say('stopped');
      process.exit(5);
    });
    stay();
  }
  say('ready');`,
);
const buttonwood = join(root, 'bin/buttonwood.mjs');
afterAll(() => rmSync(root, { recursive: true }));

function launch(...args: string[]) {
  const launcher = Bun.spawn(['node', buttonwood, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  return { launcher, output: new Output(launcher.stdout) };
}

/** Output of a process, to wait for its lines. The stream ends when every process of the tree has ended. */
class Output {
  text = '';
  readonly #reader;

  readonly #decoder = new TextDecoder();

  constructor(stream: ReadableStream<Uint8Array<ArrayBuffer>>) {
    this.#reader = stream.getReader();
  }

  async until(wanted: string): Promise<void> {
    while (!this.text.includes(wanted)) {
      const { done, value } = await this.#reader.read();
      if (done) throw new Error(`ended without '${wanted}': ${this.text}`);
      this.text += this.#decoder.decode(value, { stream: true });
    }
  }

  async rest(): Promise<string> {
    for (;;) {
      const { done, value } = await this.#reader.read();
      if (done) return this.text;
      this.text += this.#decoder.decode(value, { stream: true });
    }
  }
}

test('passes arguments, input, output and the exit code', async () => {
  const { launcher, output } = launch('echo', 'a b', '--reset', '-x');
  launcher.stdin.write('typed');
  await launcher.stdin.end();
  expect(await output.rest()).toBe('a b,--reset,-x\ntyped\n');
  expect(await launcher.exited).toBe(7);
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s to the launcher stops the server gracefully, and the exit code comes back',
  async (signal) => {
    const { launcher, output } = launch('serve');
    await output.until('ready');
    launcher.kill(signal);
    await output.until('stopping');
    launcher.kill(signal);
    launcher.stdin.write('finish\n');
    launcher.stdin.flush();
    expect(await launcher.exited).toBe(5);
    expect(await output.rest()).toBe(`ready\nstopping ${signal}\nstopped\n`);
  },
);

test('ends by the same signal as its child', async () => {
  const { launcher, output } = launch('plain');
  await output.until('ready');
  launcher.kill('SIGTERM');
  await launcher.exited;
  expect(launcher.signalCode).toBe('SIGTERM');
});

test('the server ends when its launcher is killed', async () => {
  const { launcher, output } = launch('plain');
  await output.until('ready');
  launcher.kill('SIGKILL');
  expect(await output.rest()).toBe('ready\nlauncher gone\n');
});

test('under npm the server stops when npm is killed', async () => {
  // A shell replaces npm: it waits for the launcher and does not signal it when it is killed.
  const npm = Bun.spawn(['sh', '-c', 'node "$0" serve < /dev/null & wait', buttonwood], {
    env: { ...process.env, npm_lifecycle_event: 'start' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output = new Output(npm.stdout);
  await output.until('ready');
  npm.kill('SIGKILL');
  expect(await output.rest()).toBe('ready\nstopping SIGTERM\nstopped\n');
});

test('Ctrl-C in a terminal stops the server once', async () => {
  let seen = '';
  const stopping = Promise.withResolvers<void>();
  const ready = Promise.withResolvers<void>();
  const launcher = Bun.spawn(['node', buttonwood, 'serve'], {
    terminal: {
      data(_, bytes) {
        seen += new TextDecoder().decode(bytes);
        if (seen.includes('ready')) ready.resolve();
        if (seen.includes('stopping')) stopping.resolve();
      },
    },
  });
  await ready.promise;
  launcher.terminal?.write('\x03');
  await stopping.promise;
  launcher.terminal?.write('finish\n');
  expect(await launcher.exited).toBe(5);
  expect(seen.match(/stopping SIGINT/g)).toHaveLength(1);
});

test('watching the launcher neither keeps the process alive nor burns its processor', async () => {
  const { launcher, output } = launch('idle');
  const usedMs = Number.parseFloat(await output.rest());
  expect(await launcher.exited).toBe(0);
  expect(usedMs).toBeLessThan(100);
});

test('processes that the server starts do not use its pipe', async () => {
  const { output } = launch('env');
  expect(await output.rest()).toBe('undefined\nready\n');
});

test('without a launcher there is nothing to watch, and an invalid descriptor is rejected', async () => {
  const run = (fd?: string) =>
    Bun.spawn([findBun(), join(root, 'src/main.ts'), 'env'], {
      env: { ...process.env, BUTTONWOOD_LAUNCHER_FD: fd },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  expect(await run().stdout.text()).toBe('undefined\nready\n');
  expect(await run('0').stderr.text()).toContain("BUTTONWOOD_LAUNCHER_FD=0 is not the launcher's");
  expect(await run('x').stderr.text()).toContain("BUTTONWOOD_LAUNCHER_FD=x is not the launcher's");
});

test('bin/bun.mjs runs plain Bun', async () => {
  const bun = Bun.spawn(['node', join(project, 'bin/bun.mjs'), '-e', 'process.exit(6)']);
  expect(await bun.exited).toBe(6);
});
