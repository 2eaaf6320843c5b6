import { expect, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import { type LiabilityProof, proveLiabilities } from '../../src/archivist/proofs/liabilities.ts';
import { deriveNonce } from '../../src/archivist/proofs/liability-hashes.ts';
import type { Recovered } from '../../src/archivist/recovery.ts';
import { type Command, CommandKind, SYSTEM_ACTOR } from '../../src/engine/command.ts';
import { Exchange } from '../../src/engine/exchange.ts';
import { below, seededRandom } from '../../src/storage/seeded-random.ts';
import { applyAll, command, GENESIS_COMMANDS } from '../../src/testing/test-exchange.ts';

/** Proofs of liabilities that are made while the exchange trades. */

const SEED = Number(process.env.PROOFS_SEED ?? 1);
const SECRET = new Uint8Array(32).fill(7);
const LOG_HASH = new Uint8Array(32).fill(9);

function prove(state: Recovered): LiabilityProof {
  const steps = proveLiabilities(state, SECRET);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value.proof;
  }
}

/** A state after 60 random commands, with enough accounts for several steps. */
function tradedState(): Recovered {
  const exchange = new Exchange();
  applyAll(exchange, 1000, [...GENESIS_COMMANDS]);
  const accounts = Array.from({ length: 3000 }, (_, n) => newAccount(`early-${n}`));
  applyAll(exchange, 1001, accounts);
  for (let n = 0; n < 60; n++) applyAll(exchange, 1002 + n, [command(n)]);
  return { exchange, position: { sequence: 61, hash: LOG_HASH } };
}

function newAccount(accountId: string): Command {
  return { kind: CommandKind.createAccount, ...SYSTEM_ACTOR, accountId, limitClass: 1 };
}

test('a proof is of the state at its first step, whatever is applied between the others', () => {
  const random = seededRandom(SEED);
  for (let run = 0; run < 5; run++) {
    const state = tradedState();
    const { exchange } = state;
    const expected = prove(state);
    const steps = proveLiabilities(state, SECRET);
    let applied = 0;
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done) {
        expect(step.value.proof, `run ${run}`).toEqual(expected);
        break;
      }
      // Orders, fills and fees, and credits and new accounts at both ends of the list.
      for (let n = 1 + below(3, random); n > 0; n--) {
        applyAll(exchange, 2000 + applied, [command(60 + applied)]);
        const owner = below(exchange.state.accounts.length, random);
        const terms = { owner, asset: 0, amount: 5, reference: `r${run}-${applied}`, reason: '' };
        applyAll(exchange, 2000 + applied, [
          { kind: CommandKind.transfer, ...SYSTEM_ACTOR, ...terms },
          {
            kind: CommandKind.createAccount,
            ...SYSTEM_ACTOR,
            accountId: `new-${applied}`,
            limitClass: 1,
          },
        ]);
        applied++;
      }
    }
    expect(applied).toBeGreaterThan(3);
    expect(prove(state).root).not.toBe(expected.root);
  }
});

test('a proof that is abandoned keeps nothing, and the next one is exact', () => {
  const state = tradedState();
  const abandoned = proveLiabilities(state, SECRET);
  abandoned.next();
  abandoned.return(undefined as never);
  for (let n = 60; n < 70; n++) applyAll(state.exchange, 1001 + n, [command(n)]);
  const proof = prove(state);
  const { ledger, accounts } = state.exchange.state;
  const { available, held } = ledger.totals(accounts, 0);
  expect(proof.assets[0]!.total).toBe(String(BigInt(available) + BigInt(held)));
});

test('nonces are HMAC-SHA256 of purpose, log hash, asset and account', () => {
  const expected = createHmac('sha256', SECRET)
    .update('Buttonwood proof of liabilities 1')
    .update(LOG_HASH)
    .update('\u0003BTC\u0005alice')
    .digest('hex');
  expect(deriveNonce(SECRET, LOG_HASH, 'BTC', 'alice').toHex()).toBe(expected);
});
