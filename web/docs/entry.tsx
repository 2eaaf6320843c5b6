import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Choices } from '../components/choices.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { ScrolledCode } from '../components/scrolled-code.tsx';
import { t } from '../i18n/index.ts';
import { preference } from '../preferences.ts';
import { type Entry, listFields, type Part } from './documents.ts';
import { Markdown } from './markdown.tsx';
import { listLanguages, REQUEST_LANGUAGES, writeRequest } from './requests.ts';

/** The entries that are open. Their contents are made when they are opened. */
const opened = signal<ReadonlySet<string>>(new Set());

/** The language of example requests. */
const requestLanguage = preference('docs-language', REQUEST_LANGUAGES, 'cURL');

/** Opens the entry that the fragment of the address names, and shows it. */
export function openLinked(): void {
  const id = decodeURIComponent(location.hash.slice(1));
  const element = document.getElementById(id);
  if (element === null) return;
  if (element.tagName === 'DETAILS') opened.value = new Set([...opened.value, id]);
  requestAnimationFrame(() => element.scrollIntoView({ block: 'start' }));
}

/** An operation or a channel; its details are shown when it is opened. */
export function EntryDetails({ entry }: { entry: Entry }) {
  const { id, method, path, summary } = entry;
  const isOpen = opened.value.has(id);
  const element = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (element.current !== null) element.current.open = isOpen;
  }, [isOpen]);
  const toggle = () => {
    const rest = [...opened.value].filter((each) => each !== id);
    opened.value = new Set(element.current!.open ? [...rest, id] : rest);
  };
  return (
    <details id={id} class="docs-entry" ref={element} onToggle={toggle}>
      <summary>
        <span class={`docs-method ${method.toLowerCase()}`}>{method}</span>
        <code>{path}</code>
        <span class="docs-summary">{summary}</span>
      </summary>
      {isOpen ? <EntryBody entry={entry} /> : null}
    </details>
  );
}

function EntryBody({ entry }: { entry: Entry }) {
  const { id, method, description, parameters, parts } = entry;
  return (
    <div class="docs-body">
      <Markdown text={description} />
      {method === 'WS' ? null : <ExampleRequest entry={entry} />}
      {parameters.length === 0 ? null : (
        <Fields
          caption={t('Parameters')}
          rows={listFields(
            {
              properties: Object.fromEntries(
                parameters.map(({ name, schema = {}, description: text = '' }) => [
                  name,
                  { ...schema, description: text },
                ]),
              ),
              required: parameters.filter(({ required }) => required).map(({ name }) => name),
            },
            entry.document,
          )}
        />
      )}
      {parts.map((part) => (
        <PartDetails key={`${id} ${part.title}`} part={part} entry={entry} />
      ))}
    </div>
  );
}

/** The request in the language that the user chose, if it can be sent in it. */
function ExampleRequest({ entry }: { entry: Entry }) {
  const languages = listLanguages(entry);
  const shown = languages.find((language) => language === requestLanguage.value) ?? 'cURL';
  return (
    <Code
      name={t('Request')}
      text={writeRequest(entry, shown, location.origin)}
      aside={
        languages.length === 1 ? null : (
          <Choices
            legend={t('Language of the example')}
            ids={languages}
            chosen={shown}
            onChoose={(language) => {
              requestLanguage.value = language;
            }}
          />
        )
      }
    />
  );
}

/** A body, a response or a message. Those of errors are closed. */
function PartDetails({ part, entry }: { part: Part; entry: Entry }) {
  const { title, description, schema, examples } = part;
  const rows = schema === undefined ? [] : listFields(schema, entry.document);
  const [first] = examples;
  return (
    <details class="docs-part" open={title === 'Body' || title === '200'}>
      <summary>
        <b>{title}</b> <Markdown text={description} />
      </summary>
      {first === undefined ? null : (
        <Code name={t('Example')} text={JSON.stringify(first[1], undefined, 2)} />
      )}
      {rows.length === 0 ? null : <Fields caption={t('Fields')} rows={rows} />}
    </details>
  );
}

interface CodeProps {
  readonly name: string;
  readonly text: string;
  readonly aside?: ComponentChildren;
}

function Code({ name, text, aside }: CodeProps) {
  return (
    <figure class="docs-code">
      <figcaption>
        <span>{name}</span>
        {aside}
        <CopyButton text={text} what={name} />
      </figcaption>
      <ScrolledCode text={text} />
    </figure>
  );
}

function Fields({ caption, rows }: { caption: string; rows: ReturnType<typeof listFields> }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <div class="docs-fields" tabIndex={0}>
      <table>
        <caption>{caption}</caption>
        <tbody>
          {rows.map(({ name, type, isRequired, description }) => (
            <tr key={name}>
              <th scope="row">
                <code class="docs-field-name">{name}</code>
                {isRequired ? null : <span class="muted">{t('optional')}</span>}
              </th>
              <td>
                <span class="docs-type">{type}</span>
                <Markdown text={description} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
