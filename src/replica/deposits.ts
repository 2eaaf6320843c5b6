import type { Archivist } from '../archivist/archivist.ts';
import type { ReportDeposit } from '../engine/command.ts';
import { DepositStatus } from '../engine/custody/statuses.ts';
import type { DepositRecord, Outcome } from '../engine/event.ts';
import { RejectionCode, rejected } from '../engine/rejection.ts';
import { retry } from '../monitoring/retry.ts';
import type { Replica } from './replica.ts';

/** Each attempt fails only if the engine drops another deposit between the look-up and the command. */
const MAX_ATTEMPTS = 3;

interface Services {
  readonly replica: Replica;
  readonly archivist: Archivist;
}

/**
 * Reports a payment that is credited at most once, even if it was first reported years ago. It is looked up in history
 * if the engine does not know it and has dropped others. A payment that was reversed when it was dropped becomes
 * a new deposit if a later report has it again.
 * @throws HistoryUnavailableError, CommandNotAppliedError, OutcomeUnknownError
 */
export function executeDeposit(services: Services, command: ReportDeposit): Promise<Outcome> {
  return retry(() => executeOnce(services, command), {
    every: 0,
    maxAttempts: MAX_ATTEMPTS,
    isTransient: () => false,
    isDone: (outcome) => outcome.kind !== 'rejected' || outcome.code !== RejectionCode.needsHistory,
  });
}

async function executeOnce(
  { replica, archivist }: Services,
  command: ReportDeposit,
): Promise<Outcome> {
  const { store, keyNumber } = replica.exchange.state.parts.custody;
  const { network, transaction, index } = command;
  const isKnown = store.findDeposit(network, transaction, index) !== undefined;
  if (isKnown || store.head.forgottenBelow === 0) return replica.execute(command);
  if (command.keyNumber !== 0 && command.keyNumber !== keyNumber) {
    return rejected(RejectionCode.unauthorized);
  }
  const searchedBelow = store.head.nextId;
  const query = { kind: 'payment', payment: { network, transaction, index } } as const;
  const found = (await archivist.query(query, replica.position)) as DepositRecord | undefined;
  return found === undefined || returns(found, command)
    ? replica.execute({ ...command, searchedBelow })
    : repeatedOutcome(found, command);
}

/**
 * Returns whether a dropped payment counts again: it was reversed before its credit, and a later report has it in the
 * chain. One that was debited does not, because an operator took it back: operators credit it by an adjustment.
 */
function returns(found: DepositRecord, command: ReportDeposit): boolean {
  const isLater = command.report > found.report && isSame(found, command);
  return found.status === DepositStatus.reversed && isLater;
}

function isSame(known: DepositRecord, { address, memo, amount }: ReportDeposit): boolean {
  return known.address === address && known.memo === memo && known.amount === amount;
}

function repeatedOutcome(known: DepositRecord, command: ReportDeposit): Outcome {
  return isSame(known, command)
    ? { kind: 'deposit', deposit: known, changed: false }
    : rejected(RejectionCode.depositConflict);
}
