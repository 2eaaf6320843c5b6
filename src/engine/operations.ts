import {
  type AddNote,
  type Announce,
  type ApprovableCommand,
  type Approve,
  type BustTrade,
  type CancelMaintenance,
  type CancelOrdersOf,
  type ChangeKey,
  type ChangeMarketRules,
  type CloseSubAccount,
  type Command,
  CommandKind,
  type CreateAccount,
  type CreateAsset,
  type CreateHmacKey,
  type CreateKey,
  type CreateSignedKey,
  type CreateSubAccount,
  type CustodyCommand,
  type DelistMarket,
  type GrantAccess,
  type InternalTransfer,
  type ListMarket,
  type RejectApproval,
  type RemoveNote,
  type RenameSubAccount,
  type RequestApproval,
  type ResealKey,
  type ReviewAlert,
  type RevokeKey,
  type ScheduleMaintenance,
  type SetAccountFeeTier,
  type SetAccountLimitClass,
  type SetAccountStatus,
  type SetApprovalPolicy,
  type SetFeeDiscount,
  type SetFeeTiers,
  type SetMarketStatus,
  type SetReferralShare,
  type SetReferrer,
  type SetTradingLimits,
  type SetTradingStatus,
  type TableCommand,
  type Transfer,
  type WithdrawAnnouncement,
} from './command.ts';
import type { Custody } from './custody/custody.ts';
import type { Outcome } from './event.ts';
import type { FeeAdministration } from './ledger/fee-administration.ts';
import type { FeePrograms } from './ledger/fee-programs.ts';
import type { KeyAdministration } from './ledger/key-administration.ts';
import type { Administration } from './markets/administration.ts';
import type { ApprovalAdministration } from './operators/approval-administration.ts';
import { ApprovalAction } from './operators/approval-policy.ts';
import type { Notes } from './operators/notes.ts';
import type { Cancellations } from './orders/endings/cancel.ts';
import type { Announcements } from './protection/announcements.ts';
import type { TradeBusts } from './protection/trade-busts.ts';
import type { TradingLimitsPart } from './protection/trading-limits.ts';
import type { TradingStatusAdministration } from './protection/trading-status-administration.ts';
import { InvariantError } from './rejection.ts';
import type { SubAccountAdministration } from './sub-accounts/sub-account-administration.ts';
import { OPERATOR_PERMISSIONS, Permission } from './terms.ts';

/** The effect of a command, and the permission that its key needs. */
export interface Operation<C extends Command> {
  /** Sum of the Permission values of which one is enough. */
  readonly permission: number;
  /** The action, an ApprovalAction value, for which a policy may require a second operator. */
  readonly action?: number | undefined;
  readonly apply: (command: C) => Outcome;
}

/** The operations by kind of command. */
export type Operations = {
  readonly [Kind in TableCommand['kind']]: Operation<
    Extract<TableCommand, { readonly kind: Kind }>
  >;
};

/** The parts of the exchange that carry out the commands of the table. */
export interface OperationParts {
  readonly administration: Administration;
  readonly keyAdministration: KeyAdministration;
  readonly feeAdministration: FeeAdministration;
  readonly feePrograms: FeePrograms;
  readonly cancellations: Cancellations;
  readonly approvals: ApprovalAdministration;
  readonly notes: Notes;
  readonly custody: Custody;
  readonly subAccounts: SubAccountAdministration;
  readonly tradingStatusAdministration: TradingStatusAdministration;
  readonly announcements: Announcements;
  readonly tradeBusts: TradeBusts;
  readonly tradingLimits: TradingLimitsPart;
  readonly reviewAlert: Operation<ReviewAlert>['apply'];
  readonly upgrade: Operation<Extract<Command, { kind: typeof CommandKind.upgrade }>>['apply'];
}

const { operate, support, markets, treasury, compliance } = Permission;
const { adjustments, withdrawals, rules, grants, delisting, tradeBusts, policy } = ApprovalAction;

export function createOperations(parts: OperationParts): Operations {
  return {
    [CommandKind.upgrade]: by(operate, parts.upgrade),
    [CommandKind.reviewAlert]: by(compliance, parts.reviewAlert),
    ...createMarketOperations(parts),
    ...createFeeOperations(parts),
    ...createAccountOperations(parts),
    ...createKeyOperations(parts),
    ...createApprovalOperations(parts),
    ...createCustodyOperations(parts),
    ...createProtectionOperations(parts),
    ...createSubAccountOperations(parts),
  };
}

function createMarketOperations(parts: OperationParts) {
  const { administration, cancellations } = parts;
  return {
    [CommandKind.createAsset]: by(markets, (each: CreateAsset) => administration.createAsset(each)),
    [CommandKind.listMarket]: by(markets, (each: ListMarket) => administration.listMarket(each)),
    [CommandKind.setMarketStatus]: by(markets, (each: SetMarketStatus) =>
      administration.setMarketStatus(each),
    ),
    [CommandKind.changeMarketRules]: by(
      markets,
      (each: ChangeMarketRules) => administration.changeMarketRules(each),
      rules,
    ),
    [CommandKind.delistMarket]: by(
      markets,
      (each: DelistMarket) => cancellations.delist(each),
      delisting,
    ),
  };
}

function createFeeOperations({ feeAdministration, feePrograms }: OperationParts) {
  return {
    [CommandKind.setFeeTiers]: by(
      markets,
      (each: SetFeeTiers) => feeAdministration.setFeeTiers(each),
      rules,
    ),
    [CommandKind.setAccountFeeTier]: by(
      markets,
      (each: SetAccountFeeTier) => feeAdministration.setAccountFeeTier(each),
      rules,
    ),
    [CommandKind.setFeeDiscount]: by(
      markets,
      (each: SetFeeDiscount) => feePrograms.setDiscount(each),
      rules,
    ),
    [CommandKind.setReferralShare]: by(
      markets,
      (each: SetReferralShare) => feePrograms.setReferralShare(each),
      rules,
    ),
    [CommandKind.setReferrer]: by(
      support,
      (each: SetReferrer) => feePrograms.setReferrer(each),
      rules,
    ),
  };
}

function createAccountOperations({ administration, cancellations, notes }: OperationParts) {
  return {
    [CommandKind.createAccount]: by(support, (each: CreateAccount) =>
      administration.createAccount(each),
    ),
    [CommandKind.setAccountStatus]: by(support | compliance, (each: SetAccountStatus) =>
      administration.setAccountStatus(each),
    ),
    [CommandKind.setAccountLimitClass]: by(support, (each: SetAccountLimitClass) =>
      administration.setAccountLimitClass(each),
    ),
    [CommandKind.cancelOrdersOf]: by(support | markets, (each: CancelOrdersOf) =>
      cancellations.cancelOrdersOf(each),
    ),
    [CommandKind.transfer]: by(
      treasury,
      (each: Transfer) => administration.transfer(each),
      adjustments,
    ),
    [CommandKind.addNote]: by(support | compliance, (each: AddNote) => notes.addNote(each)),
    [CommandKind.removeNote]: by(support | compliance, (each: RemoveNote) =>
      notes.removeNote(each),
    ),
  };
}

function createKeyOperations({ keyAdministration, approvals }: OperationParts) {
  return {
    [CommandKind.createKey]: by(
      operate,
      (each: CreateKey) => keyAdministration.createKey(each),
      grants,
    ),
    [CommandKind.createSignedKey]: by(
      operate,
      (each: CreateSignedKey) => keyAdministration.createSignedKey(each),
      grants,
    ),
    [CommandKind.createHmacKey]: by(
      operate,
      (each: CreateHmacKey) => keyAdministration.createHmacKey(each),
      grants,
    ),
    [CommandKind.resealKey]: by(operate, (each: ResealKey) => keyAdministration.resealKey(each)),
    [CommandKind.changeKey]: by(
      operate,
      (each: ChangeKey) => keyAdministration.changeKey(each),
      grants,
    ),
    [CommandKind.revokeKey]: by(support | compliance, (each: RevokeKey) =>
      keyAdministration.revokeKey(each),
    ),
    [CommandKind.grantAccess]: by(
      operate,
      (each: GrantAccess) => approvals.grantAccess(each),
      grants,
    ),
  };
}

/** Requests and decisions need the permission of the command that they are about, which is checked with them. */
function createApprovalOperations({ approvals }: OperationParts) {
  return {
    [CommandKind.setApprovalPolicy]: by(
      operate,
      (each: SetApprovalPolicy) => approvals.setPolicy(each),
      policy,
    ),
    [CommandKind.requestApproval]: by(OPERATOR_PERMISSIONS, (each: RequestApproval) =>
      approvals.request(each),
    ),
    [CommandKind.approve]: by(OPERATOR_PERMISSIONS, (each: Approve) => approvals.approve(each)),
    [CommandKind.rejectApproval]: by(OPERATOR_PERMISSIONS, (each: RejectApproval) =>
      approvals.reject(each),
    ),
  };
}

/** Returns the operations on networks, deposits and withdrawals. Those of the custodian come from the process itself. */
function createCustodyOperations({ custody }: OperationParts) {
  const apply = (command: CustodyCommand) => custody.apply(command);
  const byTreasury = by(treasury, apply);
  // Approvals of withdrawals need no further action: two operators must give them in any case.
  const byReviewer = by(treasury | compliance, apply);
  const byUser = { permission: Permission.withdraw, apply };
  return {
    [CommandKind.setNetwork]: by(treasury, apply, withdrawals),
    [CommandKind.setCustodianKey]: by(operate, apply, withdrawals),
    [CommandKind.assignAddress]: byTreasury,
    [CommandKind.reportDeposit]: byTreasury,
    [CommandKind.resolveDeposit]: by(treasury | compliance, apply, withdrawals),
    [CommandKind.approveWithdrawal]: byReviewer,
    [CommandKind.rejectWithdrawal]: byReviewer,
    [CommandKind.reportWithdrawal]: byTreasury,
    [CommandKind.reportHoldings]: byTreasury,
    [CommandKind.acknowledgeInstruction]: byTreasury,
    [CommandKind.requestAddress]: { permission: Permission.trade, apply },
    [CommandKind.addWithdrawalAddress]: byUser,
    [CommandKind.removeWithdrawalAddress]: byUser,
    [CommandKind.requestWithdrawal]: byUser,
    [CommandKind.cancelWithdrawal]: byUser,
  };
}

function createProtectionOperations(parts: OperationParts) {
  const { tradingStatusAdministration } = parts;
  return {
    [CommandKind.setTradingStatus]: by(markets, (each: SetTradingStatus) =>
      tradingStatusAdministration.setTradingStatus(each),
    ),
    [CommandKind.scheduleMaintenance]: by(markets, (each: ScheduleMaintenance) =>
      tradingStatusAdministration.scheduleMaintenance(each),
    ),
    [CommandKind.cancelMaintenance]: by(markets, (each: CancelMaintenance) =>
      tradingStatusAdministration.cancelMaintenance(each),
    ),
    [CommandKind.announce]: by(support | markets, (each: Announce) =>
      parts.announcements.announce(each),
    ),
    [CommandKind.withdrawAnnouncement]: by(support | markets, (each: WithdrawAnnouncement) =>
      parts.announcements.withdraw(each),
    ),
    [CommandKind.setTradingLimits]: by(
      markets | compliance,
      (each: SetTradingLimits) => parts.tradingLimits.set(each),
      rules,
    ),
    [CommandKind.bustTrade]: by(
      markets,
      (each: BustTrade) => parts.tradeBusts.bustTrade(each),
      tradeBusts,
    ),
  };
}

function createSubAccountOperations({ subAccounts }: OperationParts) {
  const { transfer } = Permission;
  return {
    [CommandKind.createSubAccount]: {
      permission: transfer,
      apply: (each: CreateSubAccount) => subAccounts.create(each),
    },
    [CommandKind.renameSubAccount]: {
      permission: transfer,
      apply: (each: RenameSubAccount) => subAccounts.rename(each),
    },
    [CommandKind.closeSubAccount]: {
      permission: transfer,
      apply: (each: CloseSubAccount) => subAccounts.setClosed(each),
    },
    [CommandKind.internalTransfer]: {
      permission: transfer,
      apply: (each: InternalTransfer) => subAccounts.transfer(each),
    },
  };
}

/** @throws InvariantError for a command that is not in the table. */
export function findOperation(operations: Operations, command: TableCommand): Operation<Command> {
  const operation = operations[command.kind];
  if (operation !== undefined) return operation as unknown as Operation<Command>;
  throw new InvariantError(`unknown command kind ${(command as Command).kind}`);
}

/** Returns whether a second operator may approve commands of this kind: all of operators but those that approve others. */
export function isApprovable(
  operations: Operations,
  command: Command,
): command is ApprovableCommand {
  const { kind } = command;
  return (
    Object.hasOwn(operations, kind) &&
    (operations[kind as TableCommand['kind']].permission & Permission.operate) !== 0 &&
    kind !== CommandKind.requestApproval &&
    kind !== CommandKind.approve &&
    kind !== CommandKind.rejectApproval
  );
}

/**
 * Describes a command that operators with one of the permissions may send, and administrators always.
 * @param action An ApprovalAction value, for which a policy may require a second operator
 */
function by<C extends Command>(
  permissions: number,
  apply: (command: C) => Outcome,
  action?: number,
): Operation<C> {
  return { permission: permissions | Permission.operate, action, apply };
}
