import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { api } from '../api.ts';
import { Confirm } from '../components/confirm.tsx';
import { Notice } from '../components/notice.tsx';
import { announce } from '../components/toast.tsx';
import { dateTime } from '../format.ts';
import { T, t } from '../i18n/index.ts';
import type { ExchangeStatus } from './protection.tsx';

type Period = ExchangeStatus['maintenance'][number];

const bold = (children: ComponentChildren) => <b>{children}</b>;

interface RestrictionProps {
  readonly status: Pick<ExchangeStatus, 'trading' | 'maintenance'>;
  readonly onDone: () => Promise<void>;
  /** Control that ends the kill switch. */
  readonly resume: ComponentChildren;
}

/** Shows what restricts trading in all markets, the kill switch and maintenance, each with the way to end it. */
export function Restriction({ status, onDone, resume }: RestrictionProps) {
  const { trading, maintenance } = status;
  const period = maintenance.find(({ active }) => active);
  return (
    <>
      {trading.killSwitch === 'trading' ? null : (
        <Notice kind="error">
          {trading.killSwitch === 'halted' ? (
            <T text="<b>Halted in all markets.</b>" b={bold} />
          ) : (
            <T text="<b>Cancel-only in all markets.</b>" b={bold} />
          )}{' '}
          {t('Since {time}. Reason: {reason}', {
            time: trading.since === null ? '–' : dateTime(trading.since),
            reason: trading.reason ?? '–',
          })}{' '}
          {resume}
        </Notice>
      )}
      {period === undefined ? null : (
        <Notice kind="warning">
          {period.mode === 'halted' ? (
            <T text="<b>Maintenance: all markets are halted.</b>" b={bold} />
          ) : (
            <T text="<b>Maintenance: all markets are cancel-only.</b>" b={bold} />
          )}{' '}
          {t('{message} · until {end}', { message: period.message, end: dateTime(period.to) })}{' '}
          <EndMaintenance period={period} onDone={onDone} />
        </Notice>
      )}
    </>
  );
}

interface EndMaintenanceProps {
  readonly period: Period;
  readonly onDone: () => Promise<void>;
}

function EndMaintenance({ period, onDone }: EndMaintenanceProps) {
  const isOpen = useSignal(false);
  return (
    <>
      <button
        type="button"
        class="button small"
        onClick={() => {
          isOpen.value = true;
        }}
      >
        {t('End maintenance…')}
      </button>
      <ConfirmEnd
        period={isOpen.value ? period : undefined}
        onDone={onDone}
        onClose={() => {
          isOpen.value = false;
        }}
      />
    </>
  );
}

interface ConfirmEndProps {
  /** Undefined while the dialog is closed. */
  readonly period: Period | undefined;
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}

/** Asks before a maintenance is ended or canceled. */
export function ConfirmEnd({ period, onDone, onClose }: ConfirmEndProps) {
  const isActive = period?.active === true;
  const cancel = async () => {
    await api.cancelMaintenance({ from: period!.from });
    announce(isActive ? t('Maintenance ended') : t('Maintenance canceled'), 'success');
    await onDone();
  };
  return (
    <Confirm
      title={isActive ? t('End maintenance now?') : t('Cancel maintenance?')}
      open={period !== undefined}
      verb={isActive ? t('End maintenance') : t('Cancel maintenance')}
      dismiss={t('Keep it')}
      onConfirm={cancel}
      onClose={onClose}
    >
      {period === undefined ? null : (
        <p>
          {t('{message}, from {start} to {end}. Users see the change at once.', {
            message: period.message,
            start: dateTime(period.from),
            end: dateTime(period.to),
          })}
        </p>
      )}
    </Confirm>
  );
}
