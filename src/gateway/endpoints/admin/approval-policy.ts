import { z } from 'zod';
import { CommandKind, type SetApprovalPolicy } from '../../../engine/command.ts';
import { formatUnits } from '../../../engine/numbers/units.ts';
import { ApprovalAction, approvalActionNames } from '../../../engine/operators/approval-policy.ts';
import type { Call } from '../../http/request/call.ts';
import { ApiError, quoteSender } from '../../http/response/errors.ts';
import { checkBody, decimal, toUnits } from '../../openapi/body-schema.ts';
import { describe } from '../../openapi/description.ts';
import { fromZod, record } from '../../openapi/json-schema.ts';
import { recordRef } from '../../openapi/record-schemas.ts';
import { approvalReason, proof } from '../user/body-fields.ts';
import { confirm } from '../user/confirmation.ts';
import { executeAsOperator, requireReason } from './execute.ts';
import { expectOutcome } from './outcome.ts';

const newPolicy = z.strictObject({
  actions: z.array(z.enum(approvalActionNames)),
  limits: z.array(z.strictObject({ asset: z.string(), amount: decimal })).max(1000),
  reason: approvalReason,
  ...proof,
});

/** GET /api/admin/approval-policy: `{policy}`. */
export function getApprovalPolicy(call: Call): string {
  call.query([]);
  return `{"policy":${policyText(call)}}`;
}
getApprovalPolicy.description = describe({
  operationId: 'getApprovalPolicy',
  tag: 'Operator',
  summary: 'The actions that need a second operator',
  data: record({ policy: recordRef('ApprovalPolicy') }),
});

/** POST /api/admin/approval-policy: asks a second operator to replace the policy. */
export async function setApprovalPolicy(call: Call): Promise<string> {
  const body = checkBody(newPolicy, call.body());
  const { actions, limits } = body;
  const { state } = call.exchange;
  const command: SetApprovalPolicy = {
    kind: CommandKind.setApprovalPolicy,
    ...call.actor,
    actions: actions.reduce((sum, name) => sum | ApprovalAction[name], 0),
    limits: limits.map(({ asset: name, amount }, index) => {
      const path = `limits.${index}`;
      const asset = state.assetsByName.get(name);
      if (asset === undefined) {
        const details = { field: `${path}.asset` };
        throw new ApiError('NOT_FOUND', `Unknown asset ${quoteSender(name)}.`, details);
      }
      return { asset: asset.index, amount: toUnits(amount, asset.decimals, `${path}.amount`) };
    }),
  };
  requireReason(body.reason ?? '');
  await confirm(call, body);
  const outcome = await executeAsOperator(call, command, body.reason);
  expectOutcome(outcome, 'done', state);
  return `{"policy":${policyText(call)}}`;
}
setApprovalPolicy.description = describe({
  operationId: 'setApprovalPolicy',
  tag: 'Operator',
  summary: 'Ask a second operator to change the approval policy',
  notes:
    'Every change of the policy needs an operator of another account, also the first one: so a policy in force proves that ' +
    'two operators can act. It needs a `reason`. A policy with any action also has `grants` and `policy`; no actions turn it off. Credits and debits of an asset ' +
    'need an approval as soon as those of the operator within 24 hours exceed its limit, without a limit always. With a ' +
    'session, send `code` if two-factor authentication is on, else `password`.',
  body: {
    schema: fromZod(newPolicy),
    examples: {
      credits: {
        actions: ['adjustments', 'delisting'],
        limits: [{ asset: 'USDT', amount: 10000 }],
        reason: 'two operators work here now',
      },
      off: { actions: [], limits: [], reason: 'one operator left' },
    },
  },
  data: record({ policy: recordRef('ApprovalPolicy') }),
  errors: ['NOT_FOUND', 'INVALID_AMOUNT'],
  mayNeedApproval: true,
});

function policyText({ exchange: { state } }: Call): string {
  const { actions, limits } = state.parts.approvals.policy;
  const names = approvalActionNames.filter((name) => (actions & ApprovalAction[name]) !== 0);
  const texts = limits.map(({ asset, amount }) => {
    const { asset: name, decimals } = state.assets[asset]!;
    return `{"asset":"${name}","amount":${formatUnits(amount, decimals)}}`;
  });
  return `{"actions":${JSON.stringify(names)},"limits":[${texts.join(',')}]}`;
}
