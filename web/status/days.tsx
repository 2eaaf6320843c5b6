import { formatTime, grouped } from '../format.ts';
import { t } from '../i18n/index.ts';
import { type StatusHistory, tradingPercent } from './health.ts';
import { lasting } from './lasting.ts';

interface DaysProps {
  readonly days: StatusHistory['days'];
  /** ISO time of the exchange. */
  readonly now: string;
}

/** A bar per day, whose color and height show whether trading was restricted. The list of incidents says the same in words. */
export function Days({ days, now }: DaysProps) {
  const percent = tradingPercent(days, Date.parse(now));
  const text = t('Trading was open {percent}% of the time', {
    percent: grouped(percentText(percent)),
  });
  return (
    <>
      <div class="status-days" role="img" aria-label={text}>
        {days.map((day) => (
          <span key={day.date} class={dayTone(day)} title={describeDay(day)} />
        ))}
      </div>
      <div class="status-days-scale muted">
        <span>{dayText(days[0]!.date)}</span>
        <b>{text}</b>
        <span>{t('Today')}</span>
      </div>
    </>
  );
}

type Day = StatusHistory['days'][number];

function dayTone({ restrictedSeconds, anyRestrictedSeconds }: Day): string {
  if (restrictedSeconds > 0) return 'bad';
  return anyRestrictedSeconds > 0 ? 'warn' : 'good';
}

function describeDay(day: Day): string {
  const date = dayText(day.date);
  const [all, any] = [day.restrictedSeconds, day.anyRestrictedSeconds];
  if (any === 0) return t('{date}: open', { date });
  if (all === 0) {
    return t('{date}: single markets restricted for {time}', { date, time: lasting(any * 1000) });
  }
  return t('{date}: all markets restricted for {time}', { date, time: lasting(all * 1000) });
}

/** Formats a UTC day, whatever the clock of the user. */
function dayText(date: string): string {
  return formatTime(new Date(`${date}T12:00:00Z`), { day: 'numeric', month: 'short' });
}

/** Rounds down, so that 100 % means that nothing happened. */
function percentText(percent: number): string {
  return percent === 100 ? '100' : (Math.floor(percent * 100) / 100).toFixed(2);
}
