import { settings } from '../config/settings.ts';
import { CONFIG_FILE } from '../config/sources.ts';
import type { Environment } from './command.ts';
import { usageError } from './failure.ts';
import { nearest } from './nearest.ts';

const PREFIX = 'BUTTONWOOD_';

/** What people may set. */
const VARIABLES = [
  CONFIG_FILE.variable,
  ...settings.flatMap(({ variable, isSecret }) =>
    isSecret ? [variable, `${variable}_FILE`] : [variable],
  ),
  // Of what asks a node.
  ...['BUTTONWOOD_URL', 'BUTTONWOOD_API_KEY', 'BUTTONWOOD_API_SECRET'],
];

/** What the launcher and the tests set for themselves. */
const OWN = /^BUTTONWOOD_(LAUNCHER_FD|NATS_SERVER|WORKLOADS|TEST_.*)$/;

/**
 * Refuses a variable that is named as if it were the exchange's and is none: the setting that was meant would
 * silently be another. @throws CliError
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
  const meant = VARIABLES.find((variable) => bare(variable) === near);
  throw usageError(
    `There is no variable ${unknown}.${meant === undefined ? '' : ` Did you mean ${meant}?`} ` +
      '"buttonwood help serve" shows all there are.',
  );
}

/** What tells one from another: all but one begin alike. */
function bare(variable: string): string {
  return variable.replace(PREFIX, '');
}

/** What Kubernetes tells every container of a service that is named after the exchange. */
function isServiceLink(name: string, value: string): boolean {
  return (
    /_(SERVICE_(HOST|PORT)|PORT_\d+_(TCP|UDP|SCTP))(_|$)/.test(name) ||
    /^(tcp|udp|sctp):\/\//.test(value)
  );
}
