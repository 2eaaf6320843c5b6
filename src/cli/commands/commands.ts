import type { Command } from '../command.ts';
import { accountCommands } from './accounts.ts';
import { backupCommands } from './backup.ts';
import { clockCommands } from './clock.ts';
import { configCommand } from './config.ts';
import { feeCommands } from './fees.ts';
import { keyCommands } from './keys.ts';
import { marketChangeCommands } from './market-changes.ts';
import { marketCommands } from './markets.ts';
import { offlineCommands } from './offline.ts';
import { orderCommands } from './orders.ts';
import { sandboxCommands } from './sandbox.ts';
import { stateCommands } from './state.ts';
import { transferCommands } from './transfers.ts';
import { userCommands } from './users.ts';

/** All commands except `start` and `serve`, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  ...accountCommands,
  ...keyCommands,
  ...userCommands,
  ...transferCommands,
  ...orderCommands,
  ...marketCommands,
  ...marketChangeCommands,
  ...feeCommands,
  ...stateCommands,
  ...clockCommands,
  ...sandboxCommands,
  ...offlineCommands,
  ...backupCommands,
  configCommand,
];
