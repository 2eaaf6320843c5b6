import type { Inclusion, LiabilityProof } from '../../archivist/archivist.ts';
import { quote } from '../http/json.ts';
import type { Call } from '../http/request/call.ts';
import { ApiError } from '../http/response/errors.ts';
import { describe } from '../openapi/description.ts';
import { integer, list, record, reference, text, timestamp } from '../openapi/json-schema.ts';
import { hash } from '../openapi/proof-schemas.ts';
import { recordRef } from '../openapi/record-schemas.ts';
import { timeText } from './records.ts';

/** GET /api/proofs: `{proofs}`, the proofs of liabilities that are kept, newest first. */
export async function listProofs(call: Call): Promise<string> {
  call.query([]);
  const { archivist, replica } = call.services;
  const proofs = (await archivist.query({ kind: 'proofs' }, replica.position)) as LiabilityProof[];
  return `{"proofs":${JSON.stringify(proofs)}}`;
}
listProofs.description = describe({
  operationId: 'listProofs',
  tag: 'Market data',
  summary: 'The proofs of liabilities, newest first',
  notes:
    'What the exchange owed to all accounts at a position of its log, and the root of the trees that prove it. The newest 32 ' +
    'are kept. See the documentation of proofs for how to check them.',
  data: record({ proofs: list(reference('LiabilityProof')) }),
  errors: ['OVERLOADED'],
});

/** GET /api/proofs/:id/inclusion: `{proof, account, balances}`, what shows that the account's balances are in a proof. */
export async function getInclusion(call: Call): Promise<string> {
  call.query([]);
  const { archivist, replica } = call.services;
  const id = call.parameters.id!;
  const position = /^[1-9]\d{0,15}$/.test(id) ? Number(id) : 0;
  const query = { kind: 'inclusion', account: call.account.index, position } as const;
  const found = (await archivist.query(query, replica.position)) as Inclusion;
  if (found.kind === 'unknown') {
    throw new ApiError('NOT_FOUND', 'No such proof. GET /api/proofs lists those that are kept.');
  }
  if (found.kind === 'damaged') {
    throw new ApiError('OVERLOADED', 'The file of this proof is damaged. Use another one.');
  }
  return (
    `{"proof":${JSON.stringify(found.proof)},"account":${quote(call.account.id)},` +
    `"balances":${JSON.stringify(found.balances)}}`
  );
}
getInclusion.description = describe({
  operationId: 'getInclusion',
  tag: 'Account',
  summary: "Proof that the account's balances are in a proof of liabilities",
  notes:
    'The response, stored as a file, can be checked without the exchange: `npx buttonwood verify-liabilities FILE`. Assets of ' +
    'which the account had nothing at that position are left out.',
  path: { id: 'proofId' },
  data: record({
    proof: recordRef('LiabilityProof'),
    account: text('The account.', 'alice'),
    balances: list(reference('IncludedBalance'), 'Balances above zero.'),
  }),
  errors: ['NOT_FOUND', 'OVERLOADED'],
});

/** GET /api/log/head: `{position, logHash, timestamp}`, the end of the log that this node has applied. */
export function getLogHead(call: Call): string {
  call.query([]);
  const { position, hash: logHash, exchange } = call.services.replica;
  return `{"position":${position},"logHash":"${logHash.toHex()}","timestamp":${timeText(exchange.state.time)}}`;
}
getLogHead.description = describe({
  operationId: 'getLogHead',
  tag: 'Market data',
  summary: 'Position and chain hash of the log',
  notes:
    'The chain hash commits to every command up to that position and to their order: who keeps it can later check that the ' +
    'exchange has not changed its log.',
  data: record({
    position: integer('The last batch of the log.', 1042),
    logHash: hash('Chain hash of the log at that position.'),
    timestamp: timestamp('Time of that batch.'),
  }),
});
