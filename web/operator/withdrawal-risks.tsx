import type { Withdrawal } from '../../src/client/index.ts';
import { GroupedAddress } from '../custody/grouped-address.tsx';
import { networkName } from '../custody/networks.ts';
import { t } from '../i18n/index.ts';
import { type Circumstances, listFindings } from './withdrawal-findings.ts';

/** A withdrawal that waits. */
export interface WaitingRow extends Withdrawal<string> {
  /** The number of operators who must approve it. */
  readonly required: number;
  /** Undefined until they are known. */
  readonly circumstances: Circumstances | undefined;
}

interface RecipientProps {
  readonly row: WaitingRow;
  /** The exchange's time; undefined until it is known. */
  readonly now: number | undefined;
}

/** The whole address, with its risks below it: warnings, then notices, then what is fine. */
export function Recipient({ row, now }: RecipientProps) {
  const { address, network, memo, circumstances } = row;
  const findings = listFindings(row, now);
  const fine = findings.filter(({ tone }) => tone === 'fine');
  return (
    <span class="recipient">
      <span class="recipient-flags">
        <GroupedAddress text={address} />
        <small>
          {networkName(network)}
          {memo === null ? null : ` · ${t('memo {memo}', { memo })}`}
        </small>
      </span>
      <span class="recipient-flags">
        {findings
          .filter(({ tone }) => tone !== 'fine')
          .map(({ tone, text }) => (
            <span key={text} class={`badge ${tone === 'warning' ? 'off' : 'wait'}`}>
              {text}
            </span>
          ))}
        {fine.length === 0 ? null : <small>{fine.map(({ text }) => text).join(' · ')}</small>}
        {circumstances === undefined ? <small class="muted">{t('Reading risks…')}</small> : null}
      </span>
    </span>
  );
}
