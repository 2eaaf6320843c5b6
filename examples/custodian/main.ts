import { mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Custodian } from './custodian.ts';
import { Faults } from './faults.ts';
import { Reporter } from './reporter.ts';
import { createCustodianServer } from './server.ts';
import { introduce, readReserves, readSandbox } from './setup.ts';
import { ExchangeSignatures } from './signature.ts';
import { Store } from './store.ts';

/** A custodian for a sandbox, with made-up chains: see README.md. */

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '3200' },
    data: { type: 'string', default: process.env.BUTTONWOOD_DATA ?? 'data' },
    'block-seconds': { type: 'string', default: '5' },
  },
});

const directory = join(values.data, 'custodian');
mkdirSync(directory, { recursive: true });
const custodian = new Custodian(new Store(directory));
const sandbox = await readSandbox(join(values.data, 'sandbox.json'));
const exchangeKeys = await introduce(sandbox, custodian.saved.privateKey);
for (const { asset, network, reserve } of await readReserves(sandbox)) {
  custodian.open(asset, network, reserve);
}
const faults = new Faults();
const signatures = new ExchangeSignatures(exchangeKeys);
const server = createCustodianServer({ custodian, faults, signatures });
const reporter = new Reporter(custodian, sandbox.baseUrl, faults);
server.listen(Number(values.port), '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(`The custodian listens on http://127.0.0.1:${port}`);
});
reporter.start();
const blockMs = Number(values['block-seconds']) * 1000;
const blocks = blockMs > 0 ? setInterval(() => custodian.mine(1), blockMs) : undefined;

async function stop(): Promise<void> {
  clearInterval(blocks);
  server.close();
  server.closeAllConnections();
  await reporter.stop();
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop());
