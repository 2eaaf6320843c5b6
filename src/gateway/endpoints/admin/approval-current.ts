import { type ApprovableCommand, CommandKind } from '../../../engine/command.ts';
import { commandDetails } from '../../../engine/command-details.ts';
import type { State } from '../../../engine/state.ts';
import { NONE } from '../../../engine/terms.ts';
import type { Call } from '../../http/request/call.ts';
import { type CommandDetails, detailsText, type UserEmails } from './audit-details.ts';

/**
 * Returns the values now of the fields that a command would change, as JSON like its details; null if it replaces none.
 * The log has only the new values, so the old ones are known while the command waits, and not afterwards.
 */
export async function currentText(
  call: Call,
  command: ApprovableCommand,
  users: UserEmails,
): Promise<string> {
  const { state } = call.exchange;
  const current = (await currentAccess(call, command)) ?? currentTerms(command, state);
  if (current === undefined) return 'null';
  return detailsText(JSON.parse(commandDetails(current)) as CommandDetails, state, users);
}

/** Returns a grant of the permissions that the user has. */
async function currentAccess(
  call: Call,
  command: ApprovableCommand,
): Promise<ApprovableCommand | undefined> {
  if (command.kind !== CommandKind.grantAccess) return undefined;
  const user = await call.services.users.store.findById(command.user);
  return user && { ...command, permissions: user.permissions };
}

/** Returns the command that would change nothing. */
function currentTerms(command: ApprovableCommand, state: State): ApprovableCommand | undefined {
  const { feeTiers, parts } = state;
  switch (command.kind) {
    case CommandKind.changeMarketRules: {
      const now = state.markets[command.market]!.rules;
      const names = Object.keys(command.rules) as (keyof typeof command.rules)[];
      const rules = Object.fromEntries(names.map((name) => [name, now[name]]));
      return { ...command, rules };
    }
    case CommandKind.setNetwork: {
      const { asset, name } = command;
      const networks = [...parts.custody.store.networks.values()];
      const now = networks.find((each) => each.asset === asset && each.name === name);
      if (now === undefined) return undefined;
      const { id: _, unit: __, ...rules } = now;
      return { ...command, ...rules };
    }
    case CommandKind.changeKey: {
      const key = state.keysByApiKey.get(command.apiKey);
      if (key === undefined) return undefined;
      const { label, addresses } = key;
      return {
        ...command,
        label: command.label && label,
        addresses: command.addresses && addresses,
      };
    }
    case CommandKind.setApprovalPolicy:
      return { ...command, ...parts.approvals.policy };
    case CommandKind.setFeeTiers:
      if (feeTiers.asset === NONE) return undefined;
      return { ...command, asset: feeTiers.asset, tiers: feeTiers.tiers };
    case CommandKind.setAccountFeeTier:
      return { ...command, tier: state.accounts[command.owner]!.feeTier };
    case CommandKind.setFeeDiscount:
      return feeTiers.discount && { ...command, ...feeTiers.discount };
    case CommandKind.setReferralShare:
      return { ...command, share: parts.feePrograms.referralShare };
    case CommandKind.setTradingLimits: {
      const { tradingLimits } = parts;
      const limits =
        command.owner === NONE ? tradingLimits.standard : tradingLimits.find(command.owner);
      return { ...command, limits };
    }
    default:
      return undefined;
  }
}
