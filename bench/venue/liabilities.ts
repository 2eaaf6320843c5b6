import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { proveLiabilities } from '../../src/archivist/proofs/liabilities.ts';
import { ProofStore } from '../../src/archivist/proofs/proof-store.ts';
import { verifyInclusion } from '../../src/client/proofs/liabilities.ts';
import { Exchange } from '../../src/engine/exchange.ts';
import { DiskStorage } from '../../src/storage/disk-storage.ts';
import { genesis, START } from '../engine/mix.ts';

/**
 * Makes and writes the proof of liabilities of an exchange whose accounts have two assets each. Reports the time of all
 * steps, the longest one (other work of the archivist waits for it) also as CPU time of all threads, the size of the file, and one account's part.
 */
export async function measureLiabilities(accounts: number): Promise<object> {
  const exchange = new Exchange();
  for (const command of genesis(accounts, 1)) exchange.apply(command, START);
  const directory = mkdtempSync(join(tmpdir(), 'buttonwood-proofs-'));
  try {
    const store = new ProofStore(new DiskStorage(false), directory);
    const position = { sequence: 1, hash: new Uint8Array(32) };
    const secret = await store.secret();
    let longest = 0;
    let longestCpu = 0;
    const begin = performance.now();
    const making = proveLiabilities({ exchange, position }, secret);
    let step = making.next();
    for (let last = begin, used = process.cpuUsage(); ; step = making.next()) {
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
      const { user, system } = process.cpuUsage(used);
      longestCpu = Math.max(longestCpu, (user + system) / 1000);
      used = process.cpuUsage();
      if (step.done) break;
    }
    const made = step.value;
    const built = performance.now();
    for await (const _ of store.write(made));
    const written = performance.now();
    const file = store.find(1)!;
    const account = exchange.state.accounts.at(-1)!.id;
    const reading = performance.now();
    const balances = store.inclusion(file, account)!;
    const read = performance.now();
    const inclusion = JSON.stringify({ proof: file.proof, account, balances });
    await verifyInclusion(JSON.parse(inclusion));
    const name = '00000000000000000001.proof';
    return {
      accounts: exchange.state.accounts.length,
      leaves: made.trees.reduce((sum, { order }) => sum + order.length, 0),
      buildMs: round(built - begin),
      longestStepMs: round(longest),
      longestStepCpuMs: round(longestCpu),
      writeMs: round(written - built),
      fileMb: round(statSync(join(directory, name)).size / 1e6),
      readInclusionMs: round(read - reading),
      inclusionKb: round(inclusion.length / 1e3),
    };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
