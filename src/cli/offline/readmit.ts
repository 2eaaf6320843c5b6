import type { JetStreamConfig } from '../../config/config.ts';
import type { Result } from '../command.ts';
import { refusal } from './finding.ts';
import { withLogStream } from './log-stream.ts';

/**
 * Lets a node of a cluster start again that held another state than most nodes.
 * @throws CliError if the node may start anyway
 */
export function readmit(settings: JetStreamConfig, node: string): Promise<Result> {
  return withLogStream(settings, async ({ snapshots }) => {
    const outvoted = (await snapshots?.outvoted()) ?? [];
    const at = outvoted.filter((each) => each.node === node).map((each) => each.at);
    if (at.length === 0) throw refusal('NOT_OUTVOTED', notOutvoted(node, outvoted));
    await snapshots!.readmit(node);
    const sequence = Math.max(...at);
    return {
      data: { node, sequence },
      text: `Node ${node} may start again. It had held another state than most nodes around batch ${sequence}.`,
    };
  });
}

function notOutvoted(node: string, outvoted: readonly { readonly node: string }[]): string {
  const names = [...new Set(outvoted.map((each) => each.node))];
  const others =
    names.length === 0
      ? 'No node is kept from starting.'
      : `Kept from starting: ${names.join(', ')}.`;
  return `Node ${node} is not kept from starting. ${others}`;
}
