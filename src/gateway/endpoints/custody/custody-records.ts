import type {
  DepositAddress,
  DepositRecord,
  Holding,
  WithdrawalAddress,
  WithdrawalRecord,
} from '../../../engine/custody/custody-records.ts';
import type { Network } from '../../../engine/custody/networks.ts';
import {
  depositStatusName,
  memoRules,
  withdrawalStatuses,
} from '../../../engine/custody/statuses.ts';
import type { Exact } from '../../../engine/numbers/exact.ts';
import { formatUnits } from '../../../engine/numbers/units.ts';
import type { State } from '../../../engine/state.ts';
import type { DepositTimes } from '../../activity/deposit-times.ts';
import { quote } from '../../http/json.ts';
import { ApiError, quoteSender } from '../../http/response/errors.ts';
import { timeText } from '../records.ts';

/** The records of networks, deposits and withdrawals as JSON. */

/** Returns the network of an asset. @throws ApiError NOT_FOUND */
export function findNetwork(state: State, asset: string, name: string): Network {
  const index = state.assetsByName.get(asset)?.index ?? -1;
  const network = state.parts.custody.store.findNetwork(index, name);
  if (network !== undefined) return network;
  const message = `No network ${quoteSender(name)} of ${quoteSender(asset)}. See GET /api/networks.`;
  throw new ApiError('NOT_FOUND', message, { field: 'network' });
}

/** Fields of a network that are not rules. */
export interface NetworkExtras {
  readonly times: DepositTimes;
  /** Block explorers by the name of the network. */
  readonly explorers: ReadonlyMap<string, string> | undefined;
}

export function networkText(
  network: Network,
  state: State,
  { times, explorers }: NetworkExtras,
): string {
  const { asset, decimals } = state.assets[network.asset]!;
  const amount = (value: Exact) => formatUnits(value, decimals);
  const explorer = explorers?.get(network.name);
  return (
    `{"asset":"${asset}","network":"${network.name}","decimals":${network.decimals},` +
    `"minDeposit":${amount(network.minDeposit)},"minWithdrawal":${amount(network.minWithdrawal)},` +
    `"withdrawalFee":${amount(network.withdrawalFee)},"confirmations":${network.confirmations},` +
    `"memo":"${memoRules[network.memo]}","deposits":${network.deposits},` +
    `"withdrawals":${network.withdrawals},"dailyLimit":${amount(network.dailyLimit)},` +
    `"hourlyCount":${network.hourlyCount},"addressCoolingMs":${network.addressCoolingMs},` +
    `"newDeviceDelayMs":${network.newDeviceDelayMs},"approvalAbove":${amount(network.approvalAbove)},` +
    `"typicalDepositMs":${times.get(network.id) ?? null},` +
    `"explorerUrl":${explorer === undefined ? 'null' : quote(explorer)}}`
  );
}

export function depositAddressText(address: DepositAddress, state: State): string {
  return `{${placeText(address, state)},"createdAt":${timeText(address.createdAt)}}`;
}

/** @param label The name that the account gave the address; '' for none */
export function withdrawalAddressText(
  entry: WithdrawalAddress,
  state: State,
  label: string,
): string {
  const { id, createdAt, usableAt } = entry;
  return (
    `{"id":"${id}",${placeText(entry, state)},"label":${textOrNull(label)},` +
    `"createdAt":${timeText(createdAt)},"usableAt":${timeText(usableAt)}}`
  );
}

export function depositText(deposit: DepositRecord, state: State): string {
  const { id, transaction, index, confirmations, createdAt, updatedAt, creditedAt } = deposit;
  const { asset, confirmations: required } = readNetwork(deposit.network, state);
  const { decimals } = state.assets[asset]!;
  return (
    `{"id":"${id}","account":${accountText(deposit.account, state)},${placeText(deposit, state)},` +
    `"transaction":${quote(transaction)},"index":${index},` +
    `"amount":${formatUnits(deposit.amount, decimals)},"held":${formatUnits(deposit.held, decimals)},` +
    `"status":"${depositStatusName(deposit)}","confirmations":${confirmations},"requiredConfirmations":${required},` +
    `"createdAt":${timeText(createdAt)},"updatedAt":${timeText(updatedAt)},` +
    `"creditedAt":${creditedAt === 0 ? 'null' : timeText(creditedAt)}}`
  );
}

export function withdrawalText(withdrawal: WithdrawalRecord, state: State): string {
  const { id, clientId, status, waitsUntil, approvals, transaction, reason } = withdrawal;
  const { decimals } = state.assets[readNetwork(withdrawal.network, state).asset]!;
  const approvers = approvals.map((account) => accountText(account, state));
  return (
    `{"id":"${id}","account":${accountText(withdrawal.account, state)},${placeText(withdrawal, state)},` +
    `"amount":${formatUnits(withdrawal.amount, decimals)},"fee":${formatUnits(withdrawal.fee, decimals)},` +
    `"clientId":${clientId === null ? 'null' : quote(clientId)},"status":"${withdrawalStatuses[status]}",` +
    `"waitsUntil":${waitsUntil === 0 ? 'null' : timeText(waitsUntil)},"approvals":[${approvers.join()}],` +
    `"transaction":${textOrNull(transaction)},"reason":${textOrNull(reason)},` +
    `"createdAt":${timeText(withdrawal.createdAt)},"updatedAt":${timeText(withdrawal.updatedAt)}}`
  );
}

export function holdingText({ id, amount, reportedAt }: Holding, state: State): string {
  const network = readNetwork(id, state);
  const { asset, decimals } = state.assets[network.asset]!;
  return (
    `{"asset":"${asset}","network":"${network.name}","amount":${formatUnits(amount, decimals)},` +
    `"reportedAt":${timeText(reportedAt)}}`
  );
}

interface Place {
  readonly network: number;
  readonly address: string;
  readonly memo: string;
}

function placeText({ network: index, address, memo }: Place, state: State): string {
  const { asset, name } = readNetwork(index, state);
  return (
    `"asset":"${state.assets[asset]!.asset}","network":"${name}",` +
    `"address":${quote(address)},"memo":${textOrNull(memo)}`
  );
}

export function readNetwork(index: number, { parts }: State): Network {
  return parts.custody.store.networks.get(index)!;
}

function accountText(index: number, state: State): string {
  const account = state.accounts[index];
  return account === undefined ? 'null' : `"${account.id}"`;
}

function textOrNull(text: string): string {
  return text === '' ? 'null' : quote(text);
}
