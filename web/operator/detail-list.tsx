import { useSignal } from '@preact/signals';
import type { AccountName } from '../../src/client/index.ts';
import { Short } from '../custody/status.tsx';
import { t } from '../i18n/index.ts';
import { type DetailLine, detailLines } from './audit-text.ts';

interface DetailListProps {
  readonly details: Readonly<Record<string, unknown>>;
  /** Names of the accounts in the details. */
  readonly names: readonly AccountName[];
  /** The values of the same fields now, if they are known. */
  readonly current?: Readonly<Record<string, unknown>> | null;
}

/** The fields of a command, one a line, with the value before if it is known. */
export function DetailList({ details, current = null, names }: DetailListProps) {
  const lines = detailLines(details, current, names);
  return lines.length === 0 ? <>–</> : <Lines lines={lines} />;
}

/** Fields shown until the user asks for all. */
const SHOWN_FIELDS = 5;
/** Addresses and hashes from this length on are shortened until then. */
const LONG_WORD = /^\S{25,}$/;

/** The fields of a command, one after another. A button shows those that are left out or shortened. */
export function FlowingDetails({ details, names }: Pick<DetailListProps, 'details' | 'names'>) {
  const isWhole = useSignal(false);
  const lines = detailLines(details, null, names);
  if (lines.length === 0) return <>–</>;
  const isLong = lines.length > SHOWN_FIELDS || lines.some(isShortened);
  const isShort = isLong && !isWhole.value;
  return (
    <div class="flowing-details">
      <Lines lines={isShort ? lines.slice(0, SHOWN_FIELDS) : lines} isShort={isShort} />{' '}
      {isLong ? (
        <button
          type="button"
          class="cell-link"
          aria-expanded={isWhole.value}
          onClick={() => {
            isWhole.value = !isWhole.value;
          }}
        >
          {isShort ? t('Show all') : t('Show less')}
        </button>
      ) : null}
    </div>
  );
}

/** Whether the value of a line is shortened: links and changed values never are. */
function isShortened({ to, path, from }: DetailLine): boolean {
  return path === undefined && from === undefined && LONG_WORD.test(to);
}

const NO_BREAK_SPACE = '\u00a0';
/** Values up to this length, such as amounts with their units, stay in one line with the end of their label. */
const MAX_UNBROKEN = 24;

function unbroken(text: string): string {
  return text.length > MAX_UNBROKEN ? text : text.replaceAll(' ', NO_BREAK_SPACE);
}

interface LinesProps {
  readonly lines: readonly DetailLine[];
  readonly isShort?: boolean;
}

function Lines({ lines, isShort = false }: LinesProps) {
  return (
    <ul class="detail-list">
      {lines.map(({ name, from, to, path, accountId, isFailure }, index) => (
        <li key={index}>
          <span>{name}</span>
          {(from ?? to).length > MAX_UNBROKEN ? ' ' : NO_BREAK_SPACE}
          {from === undefined ? null : (
            <>
              <del>{unbroken(from)}</del> <span aria-hidden="true">→</span>{' '}
            </>
          )}
          {path !== undefined ? (
            <a href={path} title={accountId}>
              {LONG_WORD.test(to) ? <Short text={to} /> : unbroken(to)}
            </a>
          ) : from !== undefined ? (
            <ins>{unbroken(to)}</ins>
          ) : isShort && LONG_WORD.test(to) ? (
            <Short text={to} />
          ) : (
            <span class={isFailure ? 'failed' : undefined}>{unbroken(to)}</span>
          )}
        </li>
      ))}
    </ul>
  );
}
