import { CommandKind } from '../../../engine/command.ts';
import { ENGINE_VERSION } from '../../../engine/exchange.ts';
import type { Call } from '../../http/call.ts';
import { checkBody, nothing } from '../../openapi/body-schema.ts';
import { describe } from '../../openapi/description.ts';
import { fromZod, integer, record } from '../../openapi/json-schema.ts';
import { done } from './outcome.ts';

/** The engine's version in force, and the newest one that the answering node knows. */
export const VERSION_FIELDS = {
  engineVersion: integer('Version of the engine in force, on every node.', 2),
  newestEngineVersion: integer('Newest version that the node which answers knows.', 2),
};

/** POST /api/admin/upgrade: raises the engine's version to the newest one of this node. */
export async function upgrade(call: Call): Promise<string> {
  checkBody(nothing, call.body());
  const { state } = call.exchange;
  const command = { kind: CommandKind.upgrade, ...call.actor, version: ENGINE_VERSION };
  done(await call.services.replica.execute(command), 'done', state);
  return `{${versionText(state.version)}}`;
}

upgrade.description = describe({
  operationId: 'upgrade',
  tag: 'Operator',
  summary: "Raise the engine's version",
  notes:
    'Once every node of a cluster runs a release that knows `newestEngineVersion`: a node of an older release ' +
    'stops when it reads this in the log. Changes nothing where that version is in force. A single node raises it by itself when it starts.',
  body: { schema: fromZod(nothing), examples: { upgrade: {} } },
  data: record(VERSION_FIELDS),
});

export function versionText(version: number): string {
  return `"engineVersion":${version},"newestEngineVersion":${ENGINE_VERSION}`;
}
