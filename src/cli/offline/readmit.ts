import type { JetStreamConfig } from '../../config/config.ts';
import type { Result } from '../command.ts';
import { cliError } from './finding.ts';
import { withLogStream } from './log-stream.ts';

/**
 * Lets a cluster node start again whose state differed from most nodes.
 * @throws CliError if the node is not blocked
 */
export function readmit(settings: JetStreamConfig, node: string): Promise<Result> {
  return withLogStream(settings, async ({ snapshots }) => {
    const outvoted = (await snapshots?.outvoted()) ?? [];
    const at = outvoted.filter((each) => each.node === node).map((each) => each.at);
    if (at.length === 0) throw cliError('NOT_OUTVOTED', notOutvoted(node, outvoted));
    await snapshots!.readmit(node);
    const sequence = Math.max(...at);
    return {
      data: { node, sequence },
      text: `Node ${node} may start again. Its state differed from most nodes around batch ${sequence}.`,
    };
  });
}

function notOutvoted(node: string, outvoted: readonly { readonly node: string }[]): string {
  const names = [...new Set(outvoted.map((each) => each.node))];
  const others = names.length === 0 ? 'No node is blocked.' : `Blocked: ${names.join(', ')}.`;
  return `Node ${node} is not blocked. ${others}`;
}
