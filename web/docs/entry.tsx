import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { CopyButton } from '../components/copy-button.tsx';
import { t } from '../i18n/index.ts';
import { type Entry, listFields, type Part, writeCurl } from './documents.ts';
import { Markdown } from './markdown.tsx';

/** The entries that are open. Their contents are made when they are opened. */
const opened = signal<ReadonlySet<string>>(new Set());

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
  const request = method === 'WS' ? undefined : writeCurl(entry, location.origin);
  return (
    <div class="docs-body">
      <Markdown text={description} />
      {request === undefined ? null : <Code name={t('Request')} text={request} />}
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

function Code({ name, text }: { name: string; text: string }) {
  return (
    <figure class="docs-code">
      <figcaption>
        {name}
        <CopyButton text={text} what={name} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
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
