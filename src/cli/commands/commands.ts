import type { Command } from '../command.ts';
import { accountHistoryCommands } from './account-history.ts';
import { accountCommands } from './accounts.ts';
import { announcementCommands } from './announcements.ts';
import { approvalCommands } from './approvals.ts';
import { archiveCommands } from './archive.ts';
import { backupCommands } from './backup.ts';
import { capsuleCommands } from './capsules.ts';
import { clockCommands } from './clock.ts';
import { configCommand } from './config.ts';
import { custodyCommands } from './custody.ts';
import { custodySetupCommands } from './custody-setup.ts';
import { dashboardCommand } from './dashboard.ts';
import { feeCommands } from './fees.ts';
import { keyCommands } from './keys.ts';
import { marketChangeCommands } from './market-changes.ts';
import { marketCommands } from './markets.ts';
import { noteCommands } from './notes.ts';
import { notificationCommands } from './notifications.ts';
import { offlineCommands } from './offline.ts';
import { orderCommands } from './orders.ts';
import { proofCommands } from './proofs.ts';
import { reportCommands } from './reports.ts';
import { sandboxCommands } from './sandbox.ts';
import { sandboxControlCommands } from './sandbox-control.ts';
import { sandboxFaultCommands } from './sandbox-faults.ts';
import { scenarioCommands } from './scenario.ts';
import { searchCommand } from './search.ts';
import { stateCommands } from './state.ts';
import { subAccountCommands } from './sub-accounts.ts';
import { surveillanceCommands } from './surveillance.ts';
import { timelineCommand } from './timeline.ts';
import { tradeBustCommands } from './trade-busts.ts';
import { tradingLimitCommands } from './trading-limits.ts';
import { tradingStatusCommands } from './trading-status.ts';
import { transferCommands } from './transfers.ts';
import { userCommands } from './users.ts';
import { walletCommands } from './wallet.ts';

/** All commands except `start` and `serve`, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  ...accountCommands,
  ...keyCommands,
  ...userCommands,
  dashboardCommand,
  searchCommand,
  timelineCommand,
  ...accountHistoryCommands,
  ...noteCommands,
  ...transferCommands,
  ...subAccountCommands,
  ...walletCommands,
  ...approvalCommands,
  ...custodySetupCommands,
  ...custodyCommands,
  ...orderCommands,
  ...marketCommands,
  ...marketChangeCommands,
  ...tradingStatusCommands,
  ...announcementCommands,
  ...tradeBustCommands,
  ...tradingLimitCommands,
  ...feeCommands,
  ...notificationCommands,
  ...reportCommands,
  ...stateCommands,
  ...proofCommands,
  ...surveillanceCommands,
  ...clockCommands,
  ...sandboxCommands,
  ...sandboxControlCommands,
  ...sandboxFaultCommands,
  ...scenarioCommands,
  ...offlineCommands,
  ...capsuleCommands,
  ...archiveCommands,
  ...backupCommands,
  configCommand,
];
