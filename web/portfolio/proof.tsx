import { useSignal } from '@preact/signals';
import {
  formatSmallestUnits,
  type IncludedBalance,
  type LiabilityProof,
  type VerifiedInclusion,
  verifyInclusion,
} from '../../src/client/index.ts';
import { api } from '../api.ts';
import { CopyButton } from '../components/copy-button.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Notice } from '../components/notice.tsx';
import { Facts, Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { type Column, Table } from '../components/table.tsx';
import { dateTime, grouped } from '../format.ts';

/** Checks the newest proof of liabilities in the browser. */
export function BalanceProof() {
  const proofs = useResource(() => api.listProofs());
  return (
    <Panel
      title="Proof of your balances"
      lead="Check that the exchange counts your balances among its debts."
    >
      <Loaded resource={proofs}>
        {({ proofs: [newest] }) =>
          newest === undefined ? (
            <p class="muted">The exchange has not published a proof yet.</p>
          ) : (
            <NewestProof proof={newest} />
          )
        }
      </Loaded>
    </Panel>
  );
}

function NewestProof({ proof }: { proof: LiabilityProof }) {
  const verified = useSignal<VerifiedInclusion | undefined>(undefined);
  const problem = useSignal<string | undefined>(undefined);
  const isBusy = useSignal(false);
  const verify = async () => {
    isBusy.value = true;
    problem.value = undefined;
    verified.value = undefined;
    try {
      const found = await verifyInclusion(await api.getInclusion({ id: proof.id }));
      if (found.proof.root !== proof.root) {
        throw new Error('The exchange has shown two different roots for this position.');
      }
      verified.value = found;
    } catch (error) {
      problem.value = (error as Error).message;
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <div class="stack">
      <Facts
        facts={[
          ['Time', dateTime(proof.timestamp)],
          ['Log position', grouped(`${proof.position}`)],
          [
            'Root',
            <span key="root" class="with-button">
              <code>{proof.root}</code>
              <CopyButton text={proof.root} what="root" />
            </span>,
          ],
        ]}
      />
      <div class="with-button">
        <button type="button" class="button" disabled={isBusy.value} onClick={verify}>
          {isBusy.value ? 'Verifying…' : 'Verify'}
        </button>
      </div>
      {problem.value === undefined ? null : (
        <Notice kind="error">
          <b>Not verified.</b> {problem.value}
        </Notice>
      )}
      {verified.value === undefined ? null : <Verified found={verified.value} />}
    </div>
  );
}

function Verified({ found }: { found: VerifiedInclusion }) {
  const { proof, account, balances } = found;
  const decimals = new Map(proof.assets.map((each) => [each.asset, each.decimals]));
  const columns: readonly Column<IncludedBalance>[] = [
    { key: 'asset', title: 'Asset', cell: ({ asset }) => <b>{asset}</b> },
    {
      key: 'amount',
      title: 'Balance in the proof',
      numeric: true,
      cell: ({ asset, amount }) => grouped(formatSmallestUnits(amount, decimals.get(asset)!)),
    },
    { key: 'status', title: 'Status', cell: () => <span class="badge on">✓ Included</span> },
  ];
  return (
    <>
      <Notice kind="success">
        <b>Verified in your browser.</b> These balances of {account} are in the totals that the
        exchange has published for {dateTime(proof.timestamp)}. Compare them with your records.
      </Notice>
      <Table
        caption="Balances in the proof"
        columns={columns}
        rows={balances}
        rowKey={({ asset }) => asset}
        empty="You had no balances at that time."
      />
      <div class="with-button">
        <button type="button" class="button small" onClick={() => download(found)}>
          Download proof
        </button>
        <span class="muted">
          Check it without the exchange: <code>npx buttonwood verify-liabilities FILE</code>
        </span>
      </div>
    </>
  );
}

function download(found: VerifiedInclusion): void {
  const file = new Blob([JSON.stringify(found, null, 2)], { type: 'application/json' });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = `buttonwood-proof-${found.proof.id}.json`;
  link.click();
  URL.revokeObjectURL(link.href);
}
