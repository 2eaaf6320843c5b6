/** The OpenAPI and AsyncAPI documents of this exchange, as far as the page shows them. */

/** A JSON schema. https://json-schema.org/draft/2020-12 */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

interface Example {
  readonly value: unknown;
}

interface Content {
  readonly 'application/json'?: {
    readonly schema?: Schema;
    readonly example?: unknown;
    readonly examples?: Readonly<Record<string, Example & { readonly $ref?: string }>>;
  };
}

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Content }>
  >;
}

export interface OpenApi {
  readonly info: { readonly description: string; readonly version: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: object;
}

interface Message {
  readonly name: string;
  readonly title: string;
  readonly payload: Schema;
  readonly examples?: readonly { readonly payload: unknown }[];
}

export interface AsyncApi {
  readonly info: { readonly description: string };
  readonly channels: Readonly<
    Record<
      string,
      {
        readonly title: string;
        readonly description?: string;
        readonly messages: Readonly<Record<string, Message>>;
      }
    >
  >;
  readonly components: object;
}

/** A part of an entry that is a schema with an example, such as the body of a request. */
export interface Part {
  /** A title, such as `Body` or `200`. */
  readonly title: string;
  /** Markdown; may be empty. */
  readonly description: string;
  readonly schema: Schema | undefined;
  /** Names of examples and their values. */
  readonly examples: readonly (readonly [name: string, value: unknown])[];
}

/** An operation of the REST API or a channel of the streams. */
export interface Entry {
  /** Unique on the page; it is the fragment of its link. */
  readonly id: string;
  /** An HTTP method, or `WS`. */
  readonly method: string;
  /** The path, or the name of the channel. */
  readonly path: string;
  readonly summary: string;
  /** Markdown. */
  readonly description: string;
  readonly needsKey: boolean;
  /** Id of its section. */
  readonly section: string;
  readonly parameters: readonly Parameter[];
  readonly parts: readonly Part[];
  /** The document that references in the schemas point into. */
  readonly document: object;
}

export interface Section {
  readonly id: string;
  readonly title: string;
  /** Markdown. */
  readonly description: string;
  readonly entries: readonly Entry[];
}

/** Returns the operations of the REST API by their tags. */
export function readOperations(document: OpenApi): readonly Section[] {
  const entries = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      tag: operation.tags[0]!,
      entry: toEntry(method.toUpperCase(), path, operation, document),
    })),
  );
  return document.tags.map(({ name, description }) => ({
    id: toId(name),
    title: name,
    description,
    entries: entries.filter(({ tag }) => tag === name).map(({ entry }) => entry),
  }));
}

function toEntry(method: string, path: string, operation: Operation, document: OpenApi): Entry {
  const { operationId: id, summary, description = '', security, requestBody } = operation;
  const body = requestBody?.content['application/json'];
  const responses = Object.entries(operation.responses).map(([status, response]) =>
    toPart(status, response.description, response.content, document),
  );
  return {
    ...{ id, method, path, summary, description, document },
    needsKey: security === undefined || security.length > 0,
    section: toId(operation.tags[0]!),
    parameters: (operation.parameters ?? []).map((each) => resolve(each, document)),
    parts: [...(body ? [toPart('Body', '', requestBody!.content, document)] : []), ...responses],
  };
}

function toPart(
  title: string,
  description: string,
  content: Content | undefined,
  document: object,
): Part {
  const { schema, example, examples = {} } = content?.['application/json'] ?? {};
  const named = Object.entries(examples).map(
    ([name, each]) => [name, resolve(each, document).value] as const,
  );
  return {
    ...{ title, description, schema },
    examples: example === undefined ? named : [['', example], ...named],
  };
}

/** A part of the introduction, such as `API keys`. */
export interface Topic {
  readonly id: string;
  readonly title: string;
  /** Markdown. */
  readonly text: string;
}

/** Returns the paragraphs of an introduction by their bold titles, and its table of error codes. */
export function readTopics(introduction: string): readonly Topic[] {
  const topics: Topic[] = [];
  for (const paragraph of introduction.split('\n\n')) {
    const [, title] = /^\*\*(.+?)\.?\*\*/.exec(paragraph) ?? [];
    if (title !== undefined) {
      const text = paragraph.replace(/^\*\*.+?\*\*[:\s]*/, '');
      topics.push({ id: toId(title), title, text: text.charAt(0).toUpperCase() + text.slice(1) });
    } else if (paragraph.startsWith('|')) {
      topics.push({ id: 'error-codes', title: 'Error codes', text: paragraph });
    }
  }
  return topics;
}

function toId(title: string): string {
  return title.toLowerCase().replaceAll(' ', '-');
}

/** Returns the channels of the streams. */
export function readChannels(document: AsyncApi): Section {
  const entries = Object.entries(document.channels).map(([name, channel]): Entry => {
    const parts = Object.values(channel.messages).map((message) => ({
      title: message.name,
      description: message.title,
      schema: message.payload,
      examples: (message.examples ?? []).map(({ payload }) => ['', payload] as const),
    }));
    const { title: summary, description = '' } = channel;
    const terms = { id: `channel-${name}`, method: 'WS', path: name, summary, description };
    return { ...terms, needsKey: false, section: 'streams', parameters: [], parts, document };
  });
  const { description } = document.info;
  return { id: 'streams', title: 'Streams', description, entries };
}

/** Returns what a reference points to, with the fields next to the reference; anything else as it is. */
export function resolve<Node extends { readonly $ref?: string }>(
  node: Node,
  document: object,
): Node {
  const { $ref, ...own } = node;
  if ($ref === undefined) return node;
  const found = $ref
    .slice('#/'.length)
    .split('/')
    .reduce<unknown>((value, name) => (value as Readonly<Record<string, unknown>>)[name], document);
  return { ...resolve(found as Node, document), ...own } as Node;
}

/** A field of a schema, with those of its objects after it. */
export interface FieldRow {
  /** `data.bids[]`. */
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  /** Markdown. */
  readonly description: string;
}

/** Depth from which fields of fields are not listed: the examples show them. */
const MAX_DEPTH = 6;

/** Returns the fields of a schema; empty if it is no object. */
export function listFields(schema: Schema, document: object, prefix = '', depth = 0): FieldRow[] {
  const { properties, required = [], oneOf, anyOf } = resolve(schema, document);
  const alternatives = [...(oneOf ?? []), ...(anyOf ?? [])];
  const own = Object.entries(properties ?? {}).flatMap(([name, value]) => {
    const field = resolve(value, document);
    const path = prefix === '' ? name : `${prefix}.${name}`;
    const row: FieldRow = {
      name: path,
      type: describeType(field, document),
      isRequired: required.includes(name),
      description: field.description ?? '',
    };
    return [row, ...(depth < MAX_DEPTH ? listInner(field, document, path, depth) : [])];
  });
  const others = alternatives.flatMap((each) => listFields(each, document, prefix, depth + 1));
  const known = new Set(own.map(({ name }) => name));
  return [...own, ...others.filter(({ name }) => !known.has(name) && known.add(name))];
}

function listInner(field: Schema, document: object, path: string, depth: number): FieldRow[] {
  const inner = listFields(field, document, path, depth + 1);
  if (field.items === undefined) return inner;
  return [...inner, ...listFields(field.items, document, `${path}[]`, depth + 1)];
}

/** Returns the type of a schema in words: `"buy" or "sell"`, `list of numbers`, `text or null`. */
export function describeType(schema: Schema, document: object): string {
  const { type, items, oneOf, anyOf, ...rest } = resolve(schema, document);
  if (rest.const !== undefined) return JSON.stringify(rest.const);
  if (rest.enum !== undefined) return rest.enum.map((each) => JSON.stringify(each)).join(' or ');
  const alternatives = [...(oneOf ?? []), ...(anyOf ?? [])];
  if (alternatives.length > 0) {
    return [...new Set(alternatives.map((each) => describeType(each, document)))].join(' or ');
  }
  const types = typeof type === 'string' ? [type] : (type ?? []);
  return types
    .map((each) => {
      if (each !== 'array') return TYPES[each] ?? each;
      return items === undefined ? 'list' : `list of ${describeType(items, document)}`;
    })
    .join(' or ');
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  boolean: 'true or false',
  integer: 'whole number',
};

/**
 * Returns the entries that contain all words, in their sections; if there are none, the sections whose descriptions contain
 * all words.
 */
export function search(sections: readonly Section[], query: string): readonly Section[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return sections;
  const isAbout = ({ title, description }: Section) => {
    const text = `${title} ${description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const matches = ({ id, method, path, summary }: Entry) => {
    const text = `${id} ${method} ${path} ${summary}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const found = sections
    .map((section) => ({ ...section, entries: section.entries.filter(matches) }))
    .filter(({ entries }) => entries.length > 0);
  return found.length > 0 ? found : sections.filter(isAbout);
}

/** Returns the topics that contain all words. */
export function searchTopics(topics: readonly Topic[], query: string): readonly Topic[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return topics.filter(({ title, text }) => {
    const content = `${title} ${text}`.toLowerCase();
    return words.every((word) => content.includes(word));
  });
}
