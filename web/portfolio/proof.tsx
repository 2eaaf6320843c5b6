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
import { msg, T, t } from '../i18n/index.ts';

/** Checks the newest proof of liabilities in the browser. */
export function BalanceProof() {
  const proofs = useResource(() => api.listProofs());
  return (
    <Panel
      title={t('Proof of your balances')}
      lead={t('Verify that your balances are included in the exchange’s liabilities.')}
    >
      <Loaded resource={proofs}>
        {({ proofs: [newest] }) =>
          newest === undefined ? (
            <p class="muted">{t('The exchange has not published a proof yet.')}</p>
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
        throw new Error(t('The exchange has shown two different roots for this position.'));
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
          [msg('Time'), dateTime(proof.timestamp)],
          [msg('Log position'), grouped(`${proof.position}`)],
          [
            msg('Root'),
            <span key="root" class="with-button">
              <code>{proof.root}</code>
              <CopyButton text={proof.root} what={t('root')} />
            </span>,
          ],
        ]}
      />
      <div class="with-button">
        <button type="button" class="button" disabled={isBusy.value} onClick={verify}>
          {isBusy.value ? t('Verifying…') : t('Verify')}
        </button>
      </div>
      {problem.value === undefined ? null : (
        <Notice kind="error">
          <b>{t('Not verified.')}</b> {problem.value}
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
    { key: 'asset', title: msg('Asset'), cell: ({ asset }) => <b>{asset}</b> },
    {
      key: 'amount',
      title: msg('Balance in the proof'),
      numeric: true,
      cell: ({ asset, amount }) => grouped(formatSmallestUnits(amount, decimals.get(asset)!)),
    },
    {
      key: 'status',
      title: msg('Status'),
      cell: () => <span class="badge on">{t('✓ Included')}</span>,
    },
  ];
  return (
    <>
      <Notice kind="success">
        <T
          text="<b>Verified in your browser.</b> These balances of {account} are in the totals that the exchange has published for {time}. Compare them with your records."
          account={account}
          time={dateTime(proof.timestamp)}
          b={(children) => <b>{children}</b>}
        />
      </Notice>
      <Table
        caption={t('Balances in the proof')}
        columns={columns}
        rows={balances}
        rowKey={({ asset }) => asset}
        empty={t('You had no balances at that time.')}
      />
      <div class="with-button">
        <button type="button" class="button small" onClick={() => download(found)}>
          {t('Download proof')}
        </button>
        <span class="muted">
          <T
            text="Check it without the exchange: <code>npx buttonwood verify-liabilities FILE</code>"
            code={(children) => <code>{children}</code>}
          />
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
