import '../styles/base.css';
import '../sign-in/sign-in.css';
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId } from 'preact/hooks';
import type { OwnKey } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { SNIPPET_IDS, SNIPPETS, type Snippet } from '../bots/snippets.ts';
import { CopyButton } from '../components/copy-button.tsx';
import { CopyableText } from '../components/copyable-text.tsx';
import { Select } from '../components/field.tsx';
import { Panel } from '../components/panel.tsx';
import { permissionName } from '../components/permissions.ts';
import { sectionAt } from '../components/section.ts';
import { SectionNav } from '../components/section-nav.tsx';
import { Shell } from '../components/shell.tsx';
import { announceError } from '../components/toast.tsx';
import { T, t } from '../i18n/index.ts';
import { loadSession, profile } from '../session.ts';
import { showPage } from '../show-page.ts';

const PLACEHOLDER = 'YOUR_API_KEY';
const SECTIONS = SNIPPETS.map(({ id, title }) => [id, title] as const);

function BotsPage() {
  const address = `${location.origin}/binance`;
  const at = sectionAt(SNIPPET_IDS);
  const keys = useSignal<readonly OwnKey[]>([]);
  const apiKey = useSignal(PLACEHOLDER);
  useEffect(() => {
    loadKeys()
      .then((loaded) => {
        apiKey.value = loaded[0]?.id ?? PLACEHOLDER;
        keys.value = loaded;
      })
      .catch(announceError);
  }, [keys, apiKey]);
  return (
    <Shell at="/bots" class="page">
      <h1>{t('Bots')}</h1>
      <p class="muted">
        <T
          text="Connect Binance Spot bots with {address} and an <type>HMAC-SHA256</type> API key."
          address={
            <span class="code-to-copy">
              <code>{address}</code>
              <CopyButton text={address} what={t('Base URL')} isIcon />
            </span>
          }
          type={(children) => <span class="one-line">{children}</span>}
        />
      </p>
      <div class="sections">
        <SectionNav label={t('Bots')} sections={SECTIONS} at={at} />
        <div class="section">
          <Configuration
            snippet={SNIPPETS.find(({ id }) => id === at)!}
            keys={keys.value}
            apiKey={apiKey.value}
            onChoose={(chosen) => (apiKey.value = chosen)}
          />
        </div>
      </div>
    </Shell>
  );
}

/** Returns the user's HMAC keys that work: those that may trade, then the newest first. None when signed out. */
async function loadKeys(): Promise<readonly OwnKey[]> {
  if ((await loadSession()) === null) return [];
  const { keys } = await api.listOwnKeys({ limit: 1000 });
  return keys
    .filter(({ type, status }) => type === 'hmac' && status === 'active')
    .toSorted(
      (a, b) => Number(mayTrade(b)) - Number(mayTrade(a)) || b.createdAt.localeCompare(a.createdAt),
    );
}

const mayTrade = ({ permissions }: OwnKey) => permissions.includes('trade');

interface KeyChoiceProps {
  readonly keys: readonly OwnKey[];
  readonly apiKey: string;
  readonly onChoose: (apiKey: string) => void;
}

interface ConfigurationProps extends KeyChoiceProps {
  readonly snippet: Snippet;
}

const asCode = (children: ComponentChildren) => <code>{children}</code>;
const asKeysLink = (children: ComponentChildren) => <a href="/settings#keys">{children}</a>;

/** A configuration with the chosen key. */
function Configuration({ snippet, keys, apiKey, onChoose }: ConfigurationProps) {
  const { title, file, command, note, toText } = snippet;
  const text = toText({ origin: location.origin, apiKey });
  return (
    <Panel
      title={t(title)}
      lead={
        <T
          text="Save this as <code>{file}</code>, then run the command below it."
          file={file}
          code={asCode}
        />
      }
    >
      <div class="stack">
        <KeyChoice keys={keys} apiKey={apiKey} onChoose={onChoose} />
        <p class="muted phone-last">
          <T text={note} code={asCode} />
        </p>
        <CopyableText what={file} text={text} />
        <CopyableText what={t('Command')} text={command} isWrapped />
        {keys.length === 0 ? null : (
          <p class="muted">
            {t('The secret was shown when the key was created, and is never filled in.')}{' '}
            <T text="Lost the secret? <a>Create a new key</a>." a={asKeysLink} />
          </p>
        )}
      </div>
    </Panel>
  );
}

function KeyChoice({ keys, apiKey, onChoose }: KeyChoiceProps) {
  const permissionsId = useId();
  if (profile.value === undefined) return null;
  if (keys.length === 0) {
    return (
      <p class="muted">
        <T
          text="You have no key for bots. <a>Create an API key</a> of the type HMAC-SHA256; it is filled in here."
          a={asKeysLink}
        />
      </p>
    );
  }
  const chosen = keys.find(({ id }) => id === apiKey)!;
  return (
    <div class="field">
      <Select
        label={t('API key')}
        value={apiKey}
        options={keys.map((key) => [key.id, describeKey(key)] as const)}
        onChange={onChoose}
        describedBy={permissionsId}
      />
      <p class="hint" id={permissionsId}>
        {`${t('Permissions')}: ${chosen.permissions.map(permissionName).join(', ')}`}
      </p>
    </div>
  );
}

/** Describes a key by the end of its id first, since a narrow menu cuts long labels, and labels may be the same. */
function describeKey({ id, label }: OwnKey): string {
  return `…${id.slice(-4)}${label === '' ? '' : ` · ${label}`}`;
}

showPage(<BotsPage />);
