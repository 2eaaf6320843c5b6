import { dateTime, formatDate } from '../format.ts';
import { msg, T, t } from '../i18n/index.ts';
import { CopyButton } from './copy-button.tsx';
import { permissionName } from './permissions.ts';
import type { Column } from './table.tsx';

/** Properties of a key that its owner and operators see. */
interface KeyTerms {
  readonly label: string;
  readonly type: 'secret' | 'ed25519' | 'hmac';
  readonly permissions: readonly string[];
  readonly addresses: readonly string[];
  readonly createdAt: string;
  readonly expiresAt: string | null;
}

/** @param readId Returns the key's id, shown shortened in the middle. */
export function keyColumn<Key extends KeyTerms>(readId: (key: Key) => string): Column<Key> {
  return {
    key: 'key',
    title: t('Key'),
    cell: (key) => (
      <div class="two-lines">
        <b>{key.label === '' ? t('No label') : key.label}</b>
        <span class="code-to-copy">
          <code title={readId(key)}>{shortened(readId(key))}</code>
          <CopyButton text={readId(key)} what={t('API key')} isIcon />
        </span>
        <small class="muted">
          {t('Created {date}', {
            date: formatDate(key.createdAt),
          })}
        </small>
      </div>
    ),
  };
}

const TYPES = { secret: msg('Secret'), ed25519: 'Ed25519', hmac: 'HMAC' } as const;

export const KEY_TERMS: readonly Column<KeyTerms>[] = [
  { key: 'type', title: msg('Type'), cell: ({ type }) => t(TYPES[type]) },
  {
    key: 'permissions',
    title: msg('Permissions'),
    cell: ({ permissions }) => (
      <span class="badges">
        {permissions.map((permission) => (
          <span key={permission} class="badge">
            {permissionName(permission)}
          </span>
        ))}
      </span>
    ),
  },
  {
    key: 'addresses',
    title: msg('IP allowlist'),
    cell: ({ addresses }) =>
      addresses.length === 0 ? t('Any') : <span class="wrapped">{addresses.join(', ')}</span>,
  },
  {
    key: 'expires',
    title: msg('Expires'),
    cell: ({ expiresAt }) => (expiresAt === null ? t('Never||expiry') : dateTime(expiresAt)),
  },
];

/**
 * A column with the buttons of active keys, and the status of others, which needs no title.
 * @param onEdit Omit it for tables without an edit button.
 */
export function keyActionsColumn<Key extends KeyTerms>(
  keyStatus: (key: Key) => 'active' | 'revoked' | 'expired',
  onRevoke: (key: Key) => void,
  onEdit?: (key: Key) => void,
): Column<Key> {
  return {
    key: 'actions',
    title: t('Status'),
    hiddenTitle: true,
    numeric: true,
    cell: (key) => {
      const status = keyStatus(key);
      return status === 'active' ? (
        <span class="key-buttons">
          {onEdit === undefined ? null : (
            <button type="button" class="button small" onClick={() => onEdit(key)}>
              <T
                text="Edit<span> {label}</span>"
                label={key.label}
                span={(children) => <span class="visually-hidden">{children}</span>}
              />
            </button>
          )}
          <button type="button" class="button small" onClick={() => onRevoke(key)}>
            <T
              text="Revoke<span> {label}</span>"
              label={key.label}
              span={(children) => <span class="visually-hidden">{children}</span>}
            />
          </button>
        </span>
      ) : (
        <span class="muted">{status === 'revoked' ? t('Revoked') : t('Expired')}</span>
      );
    },
  };
}

/** Shortens an id to its recognizable ends. */
function shortened(id: string): string {
  return id.length > 20 ? `${id.slice(0, 12)}…${id.slice(-4)}` : id;
}
