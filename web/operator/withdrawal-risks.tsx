import type Big from 'big.js';
import type { Withdrawal } from '../../src/client/index.ts';
import { GroupedAddress } from '../custody/grouped-address.tsx';
import { networkName } from '../custody/networks.ts';
import { dateTime, rounded } from '../format.ts';
import { t } from '../i18n/index.ts';
import type { EarlierWithdrawals } from './earlier-withdrawals.ts';
import {
  ageText,
  type Circumstances,
  haveSecondFactor,
  isNewAddress,
  noneOfNewest,
} from './withdrawal-facts.tsx';

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

/** The whole address, with the marks of its risks. */
export function Recipient({ row, now }: RecipientProps) {
  const { address, network, memo, waitsUntil, circumstances } = row;
  return (
    <span class="recipient">
      <GroupedAddress text={address} />
      <span class="recipient-flags">
        <small>
          {networkName(network)}
          {memo === null ? null : ` · ${t('memo {memo}', { memo })}`}
        </small>
        {waitsUntil === null ? null : <span class="badge off">{t('New device')}</span>}
        {circumstances === undefined ? (
          <small class="muted">{t('Reading risks…')}</small>
        ) : (
          <Risks {...circumstances} now={now ?? circumstances.now} />
        )}
      </span>
    </span>
  );
}

/** Share of an account, in percent, from which a withdrawal stands out. */
const LARGE_SHARE = 50;

function Risks({ users, percent, address, earlier, now }: Circumstances) {
  return (
    <>
      <Use {...earlier} />
      {address === undefined ? (
        <span class="badge off">{t('Not in the address book')}</span>
      ) : isNewAddress(address, now) ? (
        <span class="badge off">
          {t('Address added {age}', { age: ageText(address.createdAt, now) })}
        </span>
      ) : (
        <small>{t('Address added {age}', { age: ageText(address.createdAt, now) })}</small>
      )}
      {haveSecondFactor(users) ? (
        <small>{t('2FA on')}</small>
      ) : (
        <span class="badge wait">{t('2FA off')}</span>
      )}
      {percent === undefined ? null : percent.gte(LARGE_SHARE) ? (
        <span class="badge off">{shareText(percent)}</span>
      ) : (
        <small>{shareText(percent)}</small>
      )}
    </>
  );
}

/** Whether the account has withdrawn to the address before, and since when. */
function Use({ firstUsed, searched, isComplete }: EarlierWithdrawals) {
  if (firstUsed === undefined) {
    return (
      <span class="badge off">
        {isComplete ? t('First withdrawal to this address') : noneOfNewest(searched)}
      </span>
    );
  }
  const time = dateTime(firstUsed);
  return (
    <small>
      {isComplete ? t('Used since {time}', { time }) : t('Used since {time} or earlier', { time })}
    </small>
  );
}

function shareText(percent: Big): string {
  return t('{percent}% of the value of the account', { percent: rounded(percent, 1) });
}
