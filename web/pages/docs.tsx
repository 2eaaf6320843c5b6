import '../styles/base.css';
import '../styles/docs.css';
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { CopyableText } from '../components/copyable-text.tsx';
import { Field } from '../components/field.tsx';
import { Loaded } from '../components/loaded.tsx';
import { useResource } from '../components/resource.ts';
import { Shell } from '../components/shell.tsx';
import { SiteFooter } from '../components/site-footer.tsx';
import { announceError } from '../components/toast.tsx';
import { Contents } from '../docs/contents.tsx';
import {
  type AsyncApi,
  type OpenApi,
  readChannels,
  readOperations,
  readTopics,
  type Section,
  search,
  searchTopics,
  type Topic,
} from '../docs/documents.ts';
import { EntryDetails, openLinked } from '../docs/entry.tsx';
import { Markdown } from '../docs/markdown.tsx';
import { curlBody } from '../docs/requests.ts';
import { T, t } from '../i18n/index.ts';
import { loadSession } from '../session.ts';
import { showPage } from '../show-page.ts';

const query = signal('');

interface Reference {
  readonly topics: readonly Topic[];
  readonly version: string;
  readonly sections: readonly Section[];
}

async function fetchReference(): Promise<Reference> {
  const [rest, streams] = await Promise.all([
    fetchJson<OpenApi>('/openapi.json'),
    fetchJson<AsyncApi>('/asyncapi.json'),
  ]);
  const { description, version } = rest.info;
  const sections = [...readOperations(rest), readChannels(streams)];
  return { topics: readTopics(description), version, sections };
}

async function fetchJson<Document>(path: string): Promise<Document> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(t('The exchange does not answer. Try again.'));
  return (await response.json()) as Document;
}

function DocsPage() {
  const reference = useResource(fetchReference);
  const isLoaded = reference.data.value !== undefined;
  useEffect(() => {
    if (!isLoaded) return;
    openLinked();
    addEventListener('hashchange', openLinked);
    return () => removeEventListener('hashchange', openLinked);
  }, [isLoaded]);
  return (
    <Shell at="/docs" class="docs-page">
      <Loaded resource={reference}>{(data) => <ReferenceView reference={data} />}</Loaded>
    </Shell>
  );
}

function ReferenceView({ reference: { topics, version, sections } }: { reference: Reference }) {
  const found = search(sections, query.value);
  const foundTopics = searchTopics(topics, query.value);
  return (
    <>
      {query.value === '' ? (
        <header class="docs-head">
          <h1>{t('API documentation')}</h1>
          <p class="muted">{t('Release {version}', { version })}</p>
        </header>
      ) : (
        <h1 class="visually-hidden">{t('API documentation')}</h1>
      )}
      <nav class="docs-nav" aria-label={t('Contents')}>
        <Field
          label={t('Search')}
          value={query.value}
          onInput={(text) => {
            query.value = text;
          }}
          input={{ type: 'search', placeholder: t('Path, name or summary') }}
        />
        <Contents topics={foundTopics} sections={found} />
      </nav>
      <div class="docs-main">
        {query.value === '' ? (
          <section class="docs-introduction" id="introduction">
            <ul class="docs-links">
              <li>
                <a href="/docs/try">{t('Try requests in the browser')}</a>
              </li>
              <li>
                <a href="/openapi.json">OpenAPI</a>
              </li>
              <li>
                <a href="/asyncapi.json">AsyncAPI</a>
              </li>
            </ul>
            <QuickStart />
          </section>
        ) : null}
        {foundTopics.length === 0 ? null : (
          <div class="docs-topics" lang="en">
            {foundTopics.map(({ id, title, text }) => (
              <section key={id} id={id} aria-labelledby={`${id}-title`}>
                <h2 id={`${id}-title`}>{title}</h2>
                <Markdown text={text} />
              </section>
            ))}
          </div>
        )}
        {found.length + foundTopics.length === 0 ? (
          <p class="empty">{t('Nothing matches the search.')}</p>
        ) : null}
        {found.map(({ id, title, description, entries }) => (
          <section key={id} id={id} aria-labelledby={`${id}-title`}>
            <h2 id={`${id}-title`} lang="en">
              {title}
            </h2>
            {query.value === '' ? <Markdown text={description} /> : null}
            {entries.map((entry) => (
              <EntryDetails key={entry.id} entry={entry} />
            ))}
          </section>
        ))}
        <SiteFooter />
      </div>
    </>
  );
}

/** Two requests to paste: one without a key, one that places an order. */
function QuickStart() {
  const { origin } = location;
  const read = `curl "${origin}/api/prices?symbol=BTC/USDT"`;
  const order = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price: 117000 };
  const place = [
    `curl -X POST "${origin}/api/orders"`,
    '-H "Authorization: Bearer $API_KEY"',
    '-H "X-API-Secret: $API_SECRET"',
    '-H "Content-Type: application/json"',
    `-d '${curlBody(order)}'`,
  ].join(' \\\n  ');
  return (
    <div class="docs-start">
      <h2>{t('Quick start')}</h2>
      <CopyableText what={t('Read prices (no key needed)')} text={read} />
      <CopyableText what={t('Place an order')} text={place} />
      <p class="muted">
        <T
          text="Create a key under <a>Settings, API keys</a>."
          a={(children) => <a href="/settings#keys">{children}</a>}
        />{' '}
        {t('A buy order below the market price rests in the book until it is filled or canceled.')}
      </p>
    </div>
  );
}

loadSession().catch(announceError);
showPage(<DocsPage />);
