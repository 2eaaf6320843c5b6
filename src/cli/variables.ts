import { nearest } from '../config/nearest.ts';
import { settings } from '../config/settings.ts';
import { CONFIG_FILE } from '../config/sources.ts';
import type { Environment } from './command.ts';
import { usageError } from './failure.ts';

const PREFIX = 'BUTTONWOOD_';

/** Variables that users may set. */
const VARIABLES = [
  CONFIG_FILE.variable,
  ...settings.flatMap(({ variable, isSecret }) =>
    isSecret ? [variable, `${variable}_FILE`] : [variable],
  ),
  // Read by commands that connect to a node.
  'BUTTONWOOD_URL',
  'BUTTONWOOD_API_KEY',
  'BUTTONWOOD_API_SECRET',
  'BUTTONWOOD_PRIVATE_KEY_FILE',
];

/** Variables of the launcher and of tests. */
const OWN = /^BUTTONWOOD_(LAUNCHER_FD|NATS_SERVER|WORKLOADS|TEST_.*)$/;

/**
 * Rejects unknown variables with the prefix of the exchange: otherwise a misspelled setting would silently keep its default.
 * @throws CliError
 */
export function checkVariables(env: Environment): void {
  const unknown = Object.entries(env).find(
    ([name, value = '']) =>
      name.startsWith(PREFIX) &&
      value !== '' &&
      !VARIABLES.includes(name) &&
      !OWN.test(name) &&
      !isServiceLink(name, value),
  )?.[0];
  if (unknown === undefined) return;
  const near = nearest(bare(unknown), VARIABLES.map(bare));
  const similar = VARIABLES.find((variable) => bare(variable) === near);
  throw usageError(
    `Unknown variable ${unknown}.${similar === undefined ? '' : ` Did you mean ${similar}?`} ` +
      'Run "buttonwood help serve" for a list.',
  );
}

/** Returns the part that distinguishes a variable from the others. */
function bare(variable: string): string {
  return variable.replace(PREFIX, '');
}

/** Whether Kubernetes sets the variable for a service that is named after the exchange. */
function isServiceLink(name: string, value: string): boolean {
  return (
    /_(SERVICE_(HOST|PORT)|PORT_\d+_(TCP|UDP|SCTP))(_|$)/.test(name) ||
    /^(tcp|udp|sctp):\/\//.test(value)
  );
}
