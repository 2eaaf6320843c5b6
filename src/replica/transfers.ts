import type { Archivist } from '../archivist/archivist.ts';
import {
  type ApprovableCommand,
  type Approve,
  CommandKind,
  type Transfer,
} from '../engine/command.ts';
import type { Outcome, TransferRecord } from '../engine/event.ts';
import { RejectionCode, rejected } from '../engine/rejection.ts';
import type { State } from '../engine/state.ts';
import { retry } from '../monitoring/retry.ts';
import type { Replica } from './replica.ts';

/** Each attempt fails only if the engine drops another reference between the look-up and the command. */
const MAX_ATTEMPTS = 3;

interface Services {
  readonly replica: Replica;
  readonly archivist: Archivist;
}

/**
 * Makes a transfer at most once for its reference, even if that was used years ago. The reference is looked up in
 * history if the engine does not remember all references. The answer covers all transfers made before the
 * look-up. Later ones are in the engine's memory, and if it has dropped one of them too, it rejects
 * the command because of `searchedBelow`.
 * @throws HistoryUnavailableError, CommandNotAppliedError, OutcomeUnknownError
 */
export function executeTransfer(services: Services, command: Transfer): Promise<Outcome> {
  return retry(() => executeOnce(services, command), {
    every: 0,
    maxAttempts: MAX_ATTEMPTS,
    isTransient: () => false,
    isDone: (outcome) => outcome.kind !== 'rejected' || outcome.code !== RejectionCode.needsHistory,
  });
}

/**
 * Approves a request. If its command is a transfer, the reference is looked up as for one.
 * @throws HistoryUnavailableError, CommandNotAppliedError, OutcomeUnknownError
 */
export async function executeApproval(
  services: Services,
  approve: Approve,
  command: ApprovableCommand,
): Promise<Outcome> {
  const { replica, archivist } = services;
  const { state } = replica.exchange;
  const isSearched = command.kind === CommandKind.transfer && needsSearch(state, command);
  if (!isSearched) return replica.execute(approve);
  const searchedBelow = state.nextTransferId;
  const [known] = await findTransfers(archivist, replica, command);
  return known === undefined
    ? replica.execute({ ...approve, searchedBelow })
    : rejected(RejectionCode.duplicateReference);
}

function needsSearch(state: State, { reference }: Transfer): boolean {
  return !state.transfers.has(reference) && state.version >= 2 && state.oldestTransferId !== 1;
}

async function findTransfers(
  archivist: Archivist,
  replica: Replica,
  { reference }: Transfer,
): Promise<(TransferRecord | undefined)[]> {
  const query = { kind: 'transfers', references: [reference] } as const;
  return (await archivist.query(query, replica.position)) as (TransferRecord | undefined)[];
}

async function executeOnce({ replica, archivist }: Services, command: Transfer): Promise<Outcome> {
  const { state } = replica.exchange;
  if (!needsSearch(state, command)) return replica.execute(command);
  const searchedBelow = state.nextTransferId;
  const [known] = await findTransfers(archivist, replica, command);
  if (known !== undefined) return repeatedOutcome(known, command);
  return replica.execute({ ...command, searchedBelow });
}

function repeatedOutcome(known: TransferRecord, { owner, asset, amount }: Transfer): Outcome {
  const isSame = known.account === owner && known.asset === asset && known.amount === amount;
  return isSame
    ? { kind: 'transfer', transfer: known, created: false }
    : rejected(RejectionCode.duplicateReference);
}
