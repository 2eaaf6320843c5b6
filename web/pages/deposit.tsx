import '../styles/base.css';
import '../sign-in/sign-in.css';
import '../styles/custody.css';
import { useEffect } from 'preact/hooks';
import type { Deposit, DepositAddress } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { CopyButton } from '../components/copy-button.tsx';
import { Faucet, hasFaucet } from '../components/faucet.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Notice } from '../components/notice.tsx';
import { PageList } from '../components/page-list.tsx';
import type { Pages } from '../components/pages.ts';
import { Facts, Panel } from '../components/panel.tsx';
import { QrCode } from '../components/qr-code.tsx';
import { useResource } from '../components/resource.ts';
import { Shell } from '../components/shell.tsx';
import { SignInFirst } from '../components/sign-in-first.tsx';
import type { Column } from '../components/table.tsx';
import { announceError } from '../components/toast.tsx';
import { useDeposits } from '../custody/live-payments.ts';
import { NetworkFields } from '../custody/network-fields.tsx';
import {
  duration,
  findUnavailable,
  networkName,
  type ShownNetwork,
  useNetworkChoice,
  useNetworks,
  withUsualTime,
} from '../custody/networks.ts';
import { paymentCard } from '../custody/payment-card.tsx';
import { DepositStatus, Transaction } from '../custody/status.tsx';
import { dateTime, grouped } from '../format.ts';
import { msg, T, t } from '../i18n/index.ts';
import { loadSession, profile } from '../session.ts';
import { showPage } from '../show-page.ts';

const REFRESH_MS = 2000;
const MINUTE_MS = 60_000;

function DepositPage() {
  return (
    <Shell at="/deposit" class="page">
      <h1>{t('Deposit')}</h1>
      {profile.value === undefined ? <p class="empty">{t('Loading…')}</p> : null}
      {profile.value === null ? <SignInFirst what={t('your deposits')} /> : null}
      {profile.value ? <Sections /> : null}
    </Shell>
  );
}

function Sections() {
  const networks = useNetworks();
  const deposits = useDeposits();
  const lead = (
    <T
      text="Choose the asset, and the network it is sent on. Sending instead? <a>Withdraw</a>."
      a={(children) => <a href="/withdraw">{children}</a>}
    />
  );
  return (
    <>
      <Panel title={t('Deposit address')} {...(networks.data.value?.length === 0 ? {} : { lead })}>
        <Loaded resource={networks}>
          {(all) =>
            all.length === 0 ? (
              <NoNetworks />
            ) : (
              <Choose networks={all} deposits={deposits.rows.value ?? []} />
            )
          }
        </Loaded>
      </Panel>
      <Deposits deposits={deposits} networks={networks.data.value ?? []} />
    </>
  );
}

/** Shown while the exchange accepts deposits on no network. */
function NoNetworks() {
  return (
    <div class="stack narrow">
      <p class="muted">{t('No asset can be deposited yet.')}</p>
      {hasFaucet() ? (
        <>
          <p class="muted">
            {t('Get free test funds from the faucet, then place your first order.')}
          </p>
          <Faucet />
        </>
      ) : null}
    </div>
  );
}

interface ChooseProps {
  readonly networks: readonly ShownNetwork[];
  /** Deposits of the account, newest first. */
  readonly deposits: readonly Deposit<string>[];
}

function Choose({ networks, deposits }: ChooseProps) {
  const choice = useNetworkChoice(networks);
  const { chosen } = choice;
  const unavailable = findUnavailable(networks);
  return (
    <div class="stack custody-stack">
      {unavailable === undefined ? null : (
        <Notice kind="warning">
          {t('{asset} cannot be deposited yet. Choose another asset.', { asset: unavailable })}
        </Notice>
      )}
      <div class="custody-choice">
        <NetworkFields choice={choice} />
      </div>
      {chosen === undefined ? null : (
        <Address
          key={`${chosen.asset} ${chosen.network}`}
          network={chosen}
          lastMs={findLastWait(chosen, deposits)}
        />
      )}
    </div>
  );
}

/** Returns how long the newest credited deposit on a network waited after it was seen; undefined without one. */
function findLastWait(
  { asset, network }: ShownNetwork,
  deposits: readonly Deposit<string>[],
): number | undefined {
  const last = deposits.find(
    (each) => each.asset === asset && each.network === network && each.creditedAt !== null,
  );
  return last && Date.parse(last.creditedAt!) - Date.parse(last.createdAt);
}

interface AddressProps {
  readonly network: ShownNetwork;
  /** Time that the last deposit waited for its credit; undefined if there is none. */
  readonly lastMs: number | undefined;
}

/** The address on a network, which the custodian may take a moment to give. */
function Address({ network, lastMs }: AddressProps) {
  const { asset, network: name } = network;
  const address = useResource(async () =>
    network.deposits ? (await api.requestDepositAddress({ asset, network: name })).address : null,
  );
  const isMissing = address.data.value === null;
  useEffect(() => {
    if (!isMissing || !network.deposits) return undefined;
    const timer = setInterval(() => void address.load(), REFRESH_MS);
    return () => clearInterval(timer);
  }, [isMissing]);
  if (!network.deposits) {
    return (
      <Notice kind="warning">
        <T
          text="Deposits of {asset} on {name} are suspended. Do not send any for now."
          asset={asset}
          name={networkName(name)}
        />
      </Notice>
    );
  }
  return (
    <Loaded resource={address}>
      {(found) =>
        found === null ? (
          <p class="empty" role="status">
            {t('Creating your address…')}
          </p>
        ) : (
          <ShownAddress address={found} network={network} lastMs={lastMs} />
        )
      }
    </Loaded>
  );
}

function ShownAddress({
  address,
  network,
  lastMs,
}: AddressProps & { readonly address: DepositAddress }) {
  const { asset } = network;
  const name = networkName(network.network);
  const confirmations = t('{count, plural, one {# confirmation} other {# confirmations}}', {
    count: network.confirmations,
  });
  return (
    <div class="deposit-address short-facts">
      <QrCode
        text={address.address}
        label={t('QR code of your {asset} address on {name}', { asset, name })}
      />
      <div class="stack custody-stack">
        <CopyLine label={t('{asset} address on {name}', { asset, name })} text={address.address} />
        {address.memo === null ? null : (
          <>
            <CopyLine label={t('Memo (required)')} text={address.memo} />
            <Notice kind="warning">
              {t(
                'Send with this memo. Without it, the deposit cannot be matched to your account and must be reviewed by an operator.',
              )}
            </Notice>
          </>
        )}
        <Notice kind="warning">
          <T
            text="Send only {asset} on {name} to this address. Other coins, or coins sent on another network, may be lost."
            asset={asset}
            name={name}
          />
        </Notice>
        <Facts
          facts={[
            [msg('Minimum deposit'), `${grouped(network.minDeposit)} ${asset}`],
            [msg('Credited after'), withUsualTime(confirmations, network.typicalDepositMs)],
            ...(lastMs === undefined || lastMs < MINUTE_MS
              ? []
              : ([[msg('Your last deposit took'), duration(wholeMinutes(lastMs))]] as const)),
          ]}
        />
      </div>
    </div>
  );
}

/** Rounds a time span to minutes, or to hours if it has more than two. */
function wholeMinutes(ms: number): number {
  const unitMs = ms > 120 * MINUTE_MS ? 60 * MINUTE_MS : MINUTE_MS;
  return Math.round(ms / unitMs) * unitMs;
}

function CopyLine({ label, text }: { label: string; text: string }) {
  return (
    <div class="copy-line">
      <div>
        <small class="muted">{label}</small>
        <div class="mono">{text}</div>
      </div>
      <CopyButton text={text} what={label} />
    </div>
  );
}

interface DepositsProps {
  readonly deposits: Pages<Deposit<string>>;
  readonly networks: readonly ShownNetwork[];
}

function Deposits({ deposits, networks }: DepositsProps) {
  const { rows, cursor, failure, load } = deposits;
  return (
    <Panel title={t('Deposits')} flush>
      <PageList
        caption={t('Deposits')}
        columns={buildColumns(networks)}
        rowKey={({ id }) => id}
        card={paymentCard}
        rows={rows.value}
        empty={t('No deposits yet. They appear here as soon as the network has seen them.')}
        cursor={cursor.value}
        load={load}
        failure={failure.value}
      />
    </Panel>
  );
}

function buildColumns(networks: readonly ShownNetwork[]): readonly Column<Deposit<string>>[] {
  const findNetwork = (deposit: Deposit<string>) =>
    networks.find(({ asset, network }) => asset === deposit.asset && network === deposit.network);
  return [
    { key: 'time', title: msg('Time'), cell: ({ createdAt }) => dateTime(createdAt) },
    { key: 'asset', title: msg('Asset'), cell: ({ asset }) => <b>{asset}</b> },
    { key: 'network', title: msg('Network'), cell: ({ network }) => networkName(network) },
    { key: 'amount', title: msg('Amount'), numeric: true, cell: ({ amount }) => grouped(amount) },
    {
      key: 'status',
      title: msg('Status'),
      cell: (deposit) => <DepositStatus deposit={deposit} network={findNetwork(deposit)} />,
    },
    {
      key: 'transaction',
      title: msg('Transaction'),
      cell: ({ transaction, network }) => <Transaction id={transaction} network={network} />,
    },
  ];
}

showPage(<DepositPage />);
loadSession().catch(announceError);
