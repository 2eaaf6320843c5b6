import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { api } from '../api.ts';
import { t } from '../i18n/index.ts';
import { explorerAddress } from './network-text.ts';

/** Addresses of block explorers by the name of the network. */
const explorers = signal<ReadonlyMap<string, string>>(new Map());
let isLoaded = false;

/** Loads the explorers once for all links of a page. Without them transactions are plain texts. */
function loadExplorers(): void {
  if (isLoaded) return;
  isLoaded = true;
  readExplorers().catch(() => {
    isLoaded = false;
  });
}

async function readExplorers(): Promise<void> {
  const { networks } = await api.getNetworks();
  explorers.value = new Map(
    networks.flatMap(({ network, explorerUrl }) =>
      explorerUrl === null ? [] : [[network, explorerUrl] as const],
    ),
  );
}

interface TransactionLinkProps {
  readonly id: string;
  readonly network: string;
  /** The id as it is shown. */
  readonly children: ComponentChildren;
}

/** A transaction, which links to the block explorer that the operator has set for its network. */
export function TransactionLink({ id, network, children }: TransactionLinkProps) {
  useEffect(loadExplorers, []);
  const url = explorers.value.get(network);
  if (url === undefined) return <>{children}</>;
  return (
    <a href={explorerAddress(url, id)} target="_blank" rel="noopener noreferrer">
      {children}
      <span class="visually-hidden"> {t('(opens in a new tab)')}</span>
    </a>
  );
}
