import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** Starts a sandbox together with its custodian: `npm run sandbox:custody`. Arguments are those of `buttonwood start`. */

const ROOT = join(import.meta.dirname, '../..');
const PORT = process.env.CUSTODIAN_PORT ?? '3200';

const exchange = spawn(
  'node',
  [
    ...[join(ROOT, 'bin/buttonwood.mjs'), 'start'],
    ...[`--custodian=http://127.0.0.1:${PORT}/instructions`, ...process.argv.slice(2)],
  ],
  { stdio: 'inherit' },
);
const custodian = spawn(
  process.execPath,
  [join(import.meta.dirname, 'main.ts'), `--port=${PORT}`],
  { stdio: 'inherit' },
);
// The end of one ends the other. A terminal sends its signal to both.
exchange.once('exit', (code) => {
  custodian.kill();
  process.exitCode = code ?? 1;
});
custodian.once('exit', () => exchange.kill());
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => exchange.kill(signal));
