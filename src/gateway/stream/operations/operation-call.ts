import { JsonNumber, type JsonObject, type JsonValue } from '../../http/json.ts';
import { Call } from '../../http/request/call.ts';
import { invalid, Query, unknownParameter } from '../../http/request/query.ts';
import type { Services } from '../../services.ts';

/** An operation of a socket. Its parameters are the body or the query of the endpoint with the same handler. */
export class OperationCall extends Call {
  constructor(
    services: Services,
    parameters: Readonly<Record<string, string>>,
    private readonly fields: JsonObject,
    private readonly fixedQuery: Readonly<Record<string, string>> | undefined,
  ) {
    super(services, parameters);
  }

  body(): JsonObject {
    return this.fields;
  }

  query(allowed: readonly string[]): Query {
    const fixed = this.fixedQuery;
    const open = fixed === undefined ? allowed : allowed.filter((name) => !(name in fixed));
    const values: [string, string][] = [];
    for (const name in this.fields) {
      const value = this.fields[name]!;
      if (value === null) continue;
      if (!open.includes(name)) {
        const known = 'id' in this.parameters ? ['orderId', ...open] : open;
        throw unknownParameter(name, known, 'operation');
      }
      values.push([name, toText(name, value)]);
    }
    return new Query(values, open, fixed);
  }
}

/** Returns the text that a value has in a query. @throws ApiError INVALID_REQUEST for an object */
function toText(name: string, value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (value instanceof JsonNumber) return value.text;
  if (typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.map((each) => toText(name, each)).join(',');
  throw invalid(name, 'text', `${name} must be a text, a number or a list of them.`);
}
