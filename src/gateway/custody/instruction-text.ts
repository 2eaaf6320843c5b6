import type { Instruction } from '../../engine/custody/custody-records.ts';
import { formatUnits } from '../../engine/numbers/units.ts';
import type { State } from '../../engine/state.ts';
import { timeText } from '../endpoints/records.ts';
import { quote } from '../http/json.ts';

/** Returns an instruction as the custodian receives it, as JSON. It is the same for every attempt. */
export function instructionText(instruction: Instruction, state: State): string {
  return instruction.kind === 'address'
    ? addressText(instruction, state)
    : withdrawalText(instruction, state);
}

/** Returns when an instruction was given, milliseconds since 1970. */
export function instructionTime(instruction: Instruction): number {
  return instruction.kind === 'address'
    ? instruction.request.createdAt
    : instruction.withdrawal.updatedAt;
}

function addressText(
  { id, request }: Extract<Instruction, { kind: 'address' }>,
  state: State,
): string {
  return (
    `{"id":${id},"type":"address",${ownerText(request, state)},` +
    `"createdAt":${timeText(request.createdAt)}}`
  );
}

function withdrawalText(
  { id, withdrawal }: Extract<Instruction, { kind: 'withdrawal' }>,
  state: State,
): string {
  const network = state.parts.custody.store.networks.get(withdrawal.network)!;
  const { decimals } = state.assets[network.asset]!;
  const memo = withdrawal.memo === '' ? 'null' : quote(withdrawal.memo);
  return (
    `{"id":${id},"type":"withdrawal",${ownerText(withdrawal, state)},"withdrawal":${withdrawal.id},` +
    `"address":${quote(withdrawal.address)},"memo":${memo},` +
    `"amount":${formatUnits(withdrawal.amount, decimals)},"fee":${formatUnits(withdrawal.fee, decimals)},` +
    `"createdAt":${timeText(withdrawal.updatedAt)}}`
  );
}

function ownerText(
  { account, network: id }: { readonly account: number; readonly network: number },
  state: State,
): string {
  const { asset, name } = state.parts.custody.store.networks.get(id)!;
  const symbol = state.assets[asset]!.asset;
  return `"account":"${state.accounts[account]!.id}","asset":"${symbol}","network":"${name}"`;
}
