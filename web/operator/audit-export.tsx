import { useSignal } from '@preact/signals';
import type { AuditEntry, GetAuditParameters } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { useAction } from '../components/action.ts';
import { Notice } from '../components/notice.tsx';
import { announce } from '../components/toast.tsx';
import { downloadText } from '../download.ts';
import { grouped } from '../format.ts';
import { t } from '../i18n/index.ts';
import { toCsv } from '../table-file.ts';
import { nameAccount } from './account-names.ts';

const PAGE_SIZE = 1000;
/** Entries in a file, which the browser holds in memory. Narrow the filter for older ones. */
const MAX_ENTRIES = 100_000;
const HEADINGS = [
  ...['id', 'timestamp', 'logPosition', 'index', 'account', 'apiKey', 'user'],
  ...['action', 'subject'],
  ...['outcome', 'rejection', 'details', 'accountName', 'subjectName'],
];

type Format = 'csv' | 'json';

/** Buttons that download all entries of the filter that is applied, from all pages. */
export function AuditExport({ filter }: { filter: GetAuditParameters }) {
  const action = useAction();
  const loaded = useSignal<number | undefined>(undefined);
  const save = (format: Format) =>
    action.run(async () => {
      try {
        const entries = await readAll(filter, (count) => {
          loaded.value = count;
        });
        const name = `audit-${new Date().toISOString().slice(0, 10)}.${format}`;
        if (format === 'csv') downloadText(name, 'text/csv', toCsv(toRows(entries)));
        else downloadText(name, 'application/json', `${JSON.stringify(entries, null, 1)}\n`);
        if (entries.length >= MAX_ENTRIES) {
          announce(t('The file has the newest {count} entries', { count: MAX_ENTRIES }), 'info');
        }
      } finally {
        loaded.value = undefined;
      }
    });
  return (
    <div class="buttons">
      {loaded.value === undefined ? null : (
        <span class="muted" role="status">
          {t('{count} entries loaded…', { count: grouped(`${loaded.value}`) })}
        </span>
      )}
      {(['csv', 'json'] as const).map((format) => (
        <button
          key={format}
          type="button"
          class="button"
          aria-busy={action.busy.value}
          onClick={() => void save(format)}
        >
          {format === 'csv' ? t('Export CSV') : t('Export JSON')}
        </button>
      ))}
      {action.failure.value === undefined ? null : (
        <Notice kind="error">{action.failure.value.message}</Notice>
      )}
    </div>
  );
}

async function readAll(
  filter: GetAuditParameters,
  onProgress: (count: number) => void,
): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = [];
  for (let cursor: string | undefined; ; ) {
    const next = cursor === undefined ? {} : { cursor };
    const page = await api.getAudit({ ...filter, limit: PAGE_SIZE, ...next });
    entries.push(...page.entries);
    onProgress(entries.length);
    if (page.nextCursor === null || entries.length >= MAX_ENTRIES) return entries;
    cursor = page.nextCursor;
  }
}

function toRows(entries: readonly AuditEntry[]): string[][] {
  const rows = entries.map((entry) => {
    const { id, timestamp, logPosition, index, account, apiKey, user, action, subject } = entry;
    const place = [id, timestamp, `${logPosition}`, `${index}`];
    const who = [account ?? '', apiKey ?? '', user ?? ''];
    const what = [action, subject ?? '', entry.outcome];
    const names = [account, subject].map((id) => nameAccount(id ?? '', entry.accounts));
    const details = JSON.stringify(entry.details);
    return [...place, ...who, ...what, `${entry.rejection}`, details, ...names];
  });
  return [HEADINGS, ...rows];
}
