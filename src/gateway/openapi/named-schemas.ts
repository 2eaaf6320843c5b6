import { INTERVALS } from '../../config/intervals.ts';
import {
  entryTypes,
  marketStatuses,
  orderReasons,
  orderStatuses,
  orderTypes,
  permissionNames,
  selfTradePreventions,
  sides,
  timesInForce,
} from '../../engine/terms.ts';
import { BOOLEAN_VALUES, ORDER_STATUS_VALUES, SORT_ORDERS } from '../http/request/query.ts';
import { ERRORS, type ErrorCode } from '../http/response/errors.ts';
import { errorSchema, VERSION_PARAMETER } from './components.ts';
import { type Fields, type JsonSchema, record, reference } from './json-schema.ts';

const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[];

/** Closed sets of names that several schemas use. */
const ENUMERATIONS: Readonly<Record<string, readonly unknown[]>> = {
  ErrorCode: ERROR_CODES,
  Side: sides,
  OrderType: orderTypes,
  OrderStatus: orderStatuses,
  OrderStatusFilter: ORDER_STATUS_VALUES,
  OrderReason: orderReasons.filter((reason) => reason !== null),
  TimeInForce: timesInForce,
  SelfTradePrevention: selfTradePreventions,
  MarketStatus: marketStatuses,
  CandleInterval: INTERVALS,
  LedgerEntryType: entryTypes,
  Permission: permissionNames,
  SortOrder: SORT_ORDERS,
  BooleanText: BOOLEAN_VALUES,
  ApiVersion: VERSION_PARAMETER.schema.enum,
};

/**
 * Names the schemas of requests, responses and enumerations, so that the document describes each once and a generated
 * client has one type for it. Equal schemas have one name.
 */
export class NamedSchemas {
  /** Names by the JSON of their schemas. */
  private readonly names = new Map<string, string>();
  private readonly schemas = new Map<string, JsonSchema>();

  /** A reference to the schema of every error; which codes a response has is in its examples. */
  readonly errorResponse: JsonSchema;

  constructor(records: Fields) {
    for (const [name, values] of Object.entries(ENUMERATIONS)) {
      this.schemas.set(name, { type: 'string', enum: values });
      this.names.set(JSON.stringify(values), name);
    }
    const error = errorSchema(ERROR_CODES);
    this.add('ErrorObject', (error.properties as Fields).error!);
    this.errorResponse = this.add('ErrorResponse', error);
    for (const [name, schema] of Object.entries(records)) this.add(name, schema);
  }

  /** Names the body of a request after its operation, unless an operation before has the same body. */
  addRequest(operationId: string, schema: JsonSchema): JsonSchema {
    const isEmpty = Object.keys(schema.properties ?? {}).length === 0;
    return this.add(isEmpty ? 'EmptyRequest' : `${capitalize(operationId)}Request`, schema);
  }

  /** Names the envelope of a successful response and its data. */
  addResponse(operationId: string, data: JsonSchema): JsonSchema {
    const name = nameContent(data) ?? `${capitalize(operationId)}Data`;
    const named = data.$ref === undefined ? this.add(name, data) : data;
    const envelope = record({ success: { const: true }, data: named });
    return this.add(`${readName(named).replace(/Data$/, '')}Response`, envelope);
  }

  /** Adds a schema under a name, unless an equal one has a name. @throws Error if the name is another schema's */
  add(name: string, schema: JsonSchema): JsonSchema {
    const json = JSON.stringify(schema);
    const known = this.names.get(json);
    if (known !== undefined) return reference(known);
    if (this.schemas.has(name)) throw new Error(`two schemas are called ${name}`);
    this.names.set(json, name);
    this.schemas.set(name, schema);
    return reference(name);
  }

  /** Returns all named schemas, with references to each other. */
  components(): Fields {
    return Object.fromEntries(
      [...this.schemas].map(([name, schema]) => [
        name,
        name in ENUMERATIONS ? schema : this.replaceParts(schema),
      ]),
    );
  }

  /** Returns a part of the document with references in place of named schemas. */
  replace<Part>(part: Part): Part {
    if (typeof part !== 'object' || part === null) return part;
    const schema = part as unknown as JsonSchema;
    if (Array.isArray(schema.enum)) return this.replaceEnumeration(schema) as Part;
    const name = 'properties' in schema ? this.names.get(JSON.stringify(schema)) : undefined;
    return name === undefined ? this.replaceParts(part) : (reference(name) as Part);
  }

  private replaceParts<Part extends object>(part: Part): Part {
    if (Array.isArray(part)) return part.map((item) => this.replace(item)) as unknown as Part;
    // Examples are values, not schemas.
    const entries = Object.entries(part).map(([key, value]) =>
      /^(examples?|enum|default)$/.test(key) ? [key, value] : [key, this.replace(value)],
    );
    return Object.fromEntries(entries);
  }

  /** Returns an enumeration as a reference, with its description; alternatively null if its values include it. */
  private replaceEnumeration(schema: JsonSchema): JsonSchema {
    const { type, enum: values, ...rest } = schema;
    const given = (values as readonly unknown[]).filter((value) => value !== null);
    const name = type === undefined ? undefined : this.names.get(JSON.stringify(given));
    if (name === undefined) return schema;
    const isNullable = Array.isArray(type) && type.includes('null');
    return isNullable
      ? { anyOf: [reference(name), { type: 'null' }], ...rest }
      : { ...reference(name), ...rest };
  }
}

/** Returns a name for data that is a page or a list of one kind of record, or has one record; undefined for others. */
function nameContent({ properties = {} }: JsonSchema): string | undefined {
  const { nextCursor, ...fields } = properties as Fields;
  const [only, ...others] = Object.values(fields);
  if (only === undefined || others.length > 0) return undefined;
  const isList = only.type === 'array';
  const content = isList ? (only.items as JsonSchema) : only;
  if (content.$ref === undefined) return undefined;
  const suffix = isList ? (nextCursor === undefined ? 'List' : 'Page') : 'Data';
  return `${readName(content)}${suffix}`;
}

/** Returns the name that a reference has. */
function readName({ $ref }: JsonSchema): string {
  return ($ref as string).split('/').at(-1)!;
}

function capitalize(name: string): string {
  return `${name[0]!.toUpperCase()}${name.slice(1)}`;
}
