import { CommandKind } from '../../../engine/command.ts';
import { ENGINE_VERSION } from '../../../engine/exchange.ts';
import type { Call } from '../../http/request/call.ts';
import { checkBody, emptyBody } from '../../openapi/body-schema.ts';
import { describe } from '../../openapi/description.ts';
import { fromZod, integer, record } from '../../openapi/json-schema.ts';
import { executeAsOperator } from './execute.ts';
import { expectOutcome } from './outcome.ts';

/** The engine version in force, and the newest one that the responding node supports. */
export const VERSION_FIELDS = {
  engineVersion: integer('Engine version in force, the same on every node.', 2),
  newestEngineVersion: integer('Newest version that the responding node supports.', 2),
};

/** POST /api/admin/upgrade: raises the engine version to the newest one that this node supports. */
export async function upgrade(call: Call): Promise<string> {
  checkBody(emptyBody, call.body());
  const { state } = call.exchange;
  const command = { kind: CommandKind.upgrade, ...call.actor, version: ENGINE_VERSION };
  expectOutcome(await executeAsOperator(call, command), 'done', state);
  return `{${versionText(state.version)}}`;
}

upgrade.description = describe({
  operationId: 'upgrade',
  tag: 'Operator',
  summary: 'Upgrade the engine version',
  notes:
    'Send this once every node of the cluster runs a release that supports `newestEngineVersion`: nodes of an ' +
    'older release stop when they read it in the log. Has no effect if that version is in force. A single node ' +
    'upgrades on its own when it starts.',
  body: { schema: fromZod(emptyBody), examples: { upgrade: {} } },
  data: record(VERSION_FIELDS),
});

export function versionText(version: number): string {
  return `"engineVersion":${version},"newestEngineVersion":${ENGINE_VERSION}`;
}
