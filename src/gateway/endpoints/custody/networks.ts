import { z } from 'zod';
import { CommandKind, type SetCustodianKey, type SetNetwork } from '../../../engine/command.ts';
import { MemoRule, memoRules } from '../../../engine/custody/statuses.ts';
import { lastDepositTimes } from '../../activity/deposit-times.ts';
import { readPublicKey } from '../../auth/public-key.ts';
import type { JsonNumber } from '../../http/json.ts';
import type { Call } from '../../http/request/call.ts';
import { ApiError, quoteSender } from '../../http/response/errors.ts';
import { checkBody, decimal, integer, optional, toUnits } from '../../openapi/body-schema.ts';
import { describe } from '../../openapi/description.ts';
import { boolean, fromZod, integer as integerSchema, record } from '../../openapi/json-schema.ts';
import { recordList, recordRef } from '../../openapi/record-schemas.ts';
import { executeConfirmed } from '../admin/execute.ts';
import { expectOutcome } from '../admin/outcome.ts';
import { approvalReason, proof } from '../user/body-fields.ts';
import { type NetworkExtras, networkText } from './custody-records.ts';

/** GET /api/networks: `{networks}` of all assets. */
export function getNetworks(call: Call): string {
  call.query([]);
  const extras = readExtras(call);
  const { state } = call.exchange;
  const networks = [...state.parts.custody.store.networks.values()];
  const texts = networks.map((each) => networkText(each, state, extras));
  return `{"networks":[${texts.join(',')}]}`;
}
getNetworks.description = describe({
  operationId: 'getNetworks',
  tag: 'Market data',
  summary: 'Networks on which assets are deposited and withdrawn',
  data: record({ networks: recordList('Network') }),
});

function readExtras({ services }: Call): NetworkExtras {
  return { times: lastDepositTimes(services), explorers: services.explorers };
}

const count = (max: number, description: string) => integer(0, max).meta({ description });
const money = (description: string) => decimal.meta({ description });
const MAX_MS = 30 * 86_400_000;
/** Fields of a network that are no rules, accepted so that rules can be sent as they were read. */
const IGNORED = 'Ignored, so that a network of GET /api/networks can be sent back.';

const rules = z.strictObject({
  asset: z.string().meta({ description: 'An asset from GET /api/assets.' }),
  network: z.string().meta({ description: 'Name: 1 to 32 of a-z, 0-9 and -.' }),
  decimals: count(22, 'Decimals of amounts on the network, at most those of the asset.'),
  minDeposit: money('Minimum deposit; smaller ones are not credited.'),
  minWithdrawal: money('Minimum withdrawal, without the fee.'),
  withdrawalFee: money('Fee of a withdrawal, in addition to its amount.'),
  confirmations: count(10_000, 'Confirmations at which a deposit is credited.'),
  memo: z.enum(memoRules).meta({ description: 'Whether addresses have a memo.' }),
  deposits: z.boolean().meta({ description: 'Whether deposits are credited.' }),
  withdrawals: z.boolean().meta({ description: 'Whether withdrawals are possible.' }),
  dailyLimit: money(
    'Maximum that an account withdraws in 24 hours, over all networks of the asset; 0 for no limit.',
  ),
  hourlyCount: count(1_000, 'Maximum withdrawals of an account in an hour; 0 for no limit.'),
  addressCoolingMs: count(MAX_MS, 'The time for which a new address cannot be used.'),
  newDeviceDelayMs: count(MAX_MS, 'The time that withdrawals wait after a new device.'),
  approvalAbove: money(
    'A withdrawal needs the approval of two operators if it is larger, counted with those of the same asset and account ' +
      'in 24 hours that no operator approved.',
  ),
  typicalDepositMs: optional(integer(0, Number.MAX_SAFE_INTEGER), IGNORED),
  explorerUrl: optional(z.string(), IGNORED),
  reason: approvalReason,
  ...proof,
});

/**
 * POST /api/admin/networks: adds a network, or replaces the rules of a known one. A caller with a session must confirm
 * it.
 */
export async function setNetwork(call: Call): Promise<string> {
  const checked = checkBody(rules, call.body());
  const {
    asset: name,
    network,
    memo,
    reason,
    code,
    password,
    typicalDepositMs,
    explorerUrl,
    ...body
  } = checked;
  const { state } = call.exchange;
  const asset = state.assetsByName.get(name);
  if (asset === undefined) {
    throw new ApiError('NOT_FOUND', `Unknown asset ${quoteSender(name)}.`, { field: 'asset' });
  }
  const amount = (field: Money) => toUnits(body[field] as JsonNumber, asset.decimals, field);
  const command: SetNetwork = {
    kind: CommandKind.setNetwork,
    ...call.actor,
    ...body,
    asset: asset.index,
    name: network,
    memo: MemoRule[memo],
    minDeposit: amount('minDeposit'),
    minWithdrawal: amount('minWithdrawal'),
    withdrawalFee: amount('withdrawalFee'),
    dailyLimit: amount('dailyLimit'),
    approvalAbove: amount('approvalAbove'),
  };
  const outcome = await executeConfirmed(call, command, { reason, code, password });
  const result = expectOutcome(outcome, 'network', state);
  return `{"network":${networkText(result.network, state, readExtras(call))},"created":${result.created}}`;
}

type Money = 'minDeposit' | 'minWithdrawal' | 'withdrawalFee' | 'dailyLimit' | 'approvalAbove';

setNetwork.description = describe({
  operationId: 'setNetwork',
  tag: 'Operator',
  summary: 'Add a network, or replace its rules',
  notes:
    'The decimals of a network never change. Deposits that have waited for their network are credited once it is on.',
  body: {
    schema: fromZod(rules),
    examples: {
      bitcoin: {
        ...{ asset: 'BTC', network: 'bitcoin', decimals: 8, minDeposit: 0.0001 },
        ...{ minWithdrawal: 0.0005, withdrawalFee: 0.0001, confirmations: 3, memo: 'none' },
        ...{ deposits: true, withdrawals: true, dailyLimit: 5, hourlyCount: 10 },
        ...{ addressCoolingMs: 86400000, newDeviceDelayMs: 86400000, approvalAbove: 1 },
      },
    },
  },
  data: record({
    network: recordRef('Network'),
    created: boolean('False if the network existed.', true),
  }),
  errors: ['NOT_FOUND', 'INVALID_AMOUNT'],
  mayNeedApproval: true,
});

const key = z.strictObject({
  publicKey: z.string().meta({
    description: 'Ed25519 public key of the custodian: PEM, or base64 of 32 bytes.',
  }),
  reason: approvalReason,
  ...proof,
});

/**
 * POST /api/admin/custodian-key: sets the key with which the custodian signs its requests. A caller with a session must
 * confirm it.
 */
export async function setCustodianKey(call: Call): Promise<string> {
  const body = checkBody(key, call.body());
  const publicKey = readPublicKey(body.publicKey);
  const command: SetCustodianKey = {
    kind: CommandKind.setCustodianKey,
    ...call.actor,
    publicKey,
  };
  const outcome = await executeConfirmed(call, command, body);
  expectOutcome(outcome, 'done', call.exchange.state);
  return `{"keyNumber":${call.exchange.state.parts.custody.keyNumber}}`;
}
setCustodianKey.description = describe({
  operationId: 'setCustodianKey',
  tag: 'Operator',
  summary: 'Set the key of the custodian',
  notes: 'Requests that were signed with the former key are rejected from then on.',
  body: {
    schema: fromZod(key),
    examples: { ed25519: { publicKey: '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=' } },
  },
  data: record({ keyNumber: integerSchema('Number of the key, from 1.', 1) }),
  mayNeedApproval: true,
});
