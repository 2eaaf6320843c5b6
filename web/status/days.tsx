import { formatTime, grouped } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { openPercent, type StatusHistory } from './health.ts';
import { lasting } from './lasting.ts';

interface DaysProps {
  readonly history: StatusHistory;
  /** Whether the exchange has deposits and withdrawals. */
  readonly hasFunding: boolean;
}

type Day = StatusHistory['days'][number];

/** A part of the exchange whose interruptions are recorded. */
interface RecordedPart {
  readonly name: string;
  /** The share of the recorded time in which it was open. */
  readonly percent: number;
  readonly describe: (day: Day) => {
    readonly tone: 'good' | 'warn' | 'bad';
    readonly text: string;
  };
}

/** A bar per part and day, whose color and height show interruptions. Screen readers get the days with interruptions as a list. */
export function Days({ history, hasFunding }: DaysProps) {
  const { days } = history;
  const since = Date.parse(history.recordedSince);
  return (
    <>
      {listParts(history, hasFunding).map(({ name, percent, describe }) => {
        const recorded = days.filter((day) => dayEnd(day) > since).map(describe);
        const text = openText(history, percent);
        return (
          <div key={name} class="status-days-part">
            <div class="status-days-head">
              <b>{t(name)}</b>
              <span class="muted">{text}</span>
            </div>
            <div class="status-days" role="img" aria-label={`${t(name)}: ${text}`}>
              {days.map((day) => {
                if (dayEnd(day) <= since) return <NoData key={day.date} day={day} />;
                const { tone, text: title } = describe(day);
                return <span key={day.date} class={tone} title={title} />;
              })}
            </div>
            <ul class="visually-hidden">
              {recorded
                .filter(({ tone }) => tone !== 'good')
                .map((day) => (
                  <li key={day.text}>{day.text}</li>
                ))}
            </ul>
          </div>
        );
      })}
      <div class="status-days-scale muted">
        <span>{dayText(days[0]!.date)}</span>
        <span>{t('Today')}</span>
      </div>
      {hasFunding ? (
        <p class="status-days-none muted">
          {t('Deposits and withdrawals count as open while no network is suspended.')}
        </p>
      ) : null}
    </>
  );
}

function NoData({ day: { date } }: { day: Day }) {
  return <span class="none" title={t('{date}: no data', { date: dayText(date) })} />;
}

function listParts(history: StatusHistory, hasFunding: boolean): readonly RecordedPart[] {
  const percent = (read: (day: Day) => number) => openPercent(history, read);
  const funding = (read: (day: Day) => number): RecordedPart['describe'] => {
    return (day) => describeFunding(day, read(day));
  };
  const deposits = (day: Day) => day.depositsSuspendedSeconds;
  const withdrawals = (day: Day) => day.withdrawalsSuspendedSeconds;
  return [
    {
      name: msg('Trading'),
      percent: percent((day) => day.restrictedSeconds),
      describe: describeTrading,
    },
    ...(hasFunding
      ? [
          {
            name: msg('Deposits'),
            percent: percent(deposits),
            describe: funding(deposits),
          },
          {
            name: msg('Withdrawals'),
            percent: percent(withdrawals),
            describe: funding(withdrawals),
          },
        ]
      : []),
  ];
}

function describeTrading(day: Day): ReturnType<RecordedPart['describe']> {
  const date = dayText(day.date);
  const [all, any] = [day.restrictedSeconds, day.anyRestrictedSeconds];
  if (any === 0) return { tone: 'good', text: t('{date}: open', { date }) };
  if (all === 0) {
    const time = lasting(any * 1000);
    return {
      tone: 'warn',
      text: t('{date}: single markets restricted for {time}', { date, time }),
    };
  }
  const time = lasting(all * 1000);
  return { tone: 'bad', text: t('{date}: all markets restricted for {time}', { date, time }) };
}

function describeFunding(day: Day, seconds: number): ReturnType<RecordedPart['describe']> {
  const date = dayText(day.date);
  if (seconds === 0) return { tone: 'good', text: t('{date}: open', { date }) };
  const time = lasting(seconds * 1000);
  return { tone: 'warn', text: t('{date}: suspended on some networks for {time}', { date, time }) };
}

function dayEnd({ date }: Day): number {
  return Date.parse(`${date}T00:00:00Z`) + 86_400_000;
}

/** Formats a UTC day, whatever the clock of the user. */
function dayText(date: string): string {
  return formatTime(new Date(`${date}T12:00:00Z`), { day: 'numeric', month: 'short' });
}

/** Returns the share in words, with the first day if not all days are recorded. */
function openText({ days, recordedSince }: StatusHistory, percent: number): string {
  const values = { percent: grouped(percentText(percent)) };
  const since = recordedSince.slice(0, 10);
  return since > days[0]!.date
    ? t('{percent}% open since {date}', { ...values, date: dayText(since) })
    : t('{percent}% open', values);
}

/** Rounds down, so that 100 % means that nothing happened. */
function percentText(percent: number): string {
  return percent === 100 ? '100' : (Math.floor(percent * 100) / 100).toFixed(2);
}
