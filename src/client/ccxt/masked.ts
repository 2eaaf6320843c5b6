const MASK = '***';
/** Fields and headers, in lower case, whose values only the exchange may read. */
const SECRET_FIELDS = ['x-api-secret', 'x-api-signature', 'apisecret', 'signature'];

/** Returns a copy of a value for logs: its secret fields, and secrets anywhere in its texts, are replaced. */
export function masked(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') {
    return secrets.reduce((text, secret) => text.replaceAll(secret, MASK), value);
  }
  if (Array.isArray(value)) return value.map((item) => masked(item, secrets));
  if (value === null || typeof value !== 'object') return value;
  // Events of sockets and the like have no secrets.
  if (![Object.prototype, null].includes(Object.getPrototypeOf(value))) return value;
  const fields = Object.entries(value).map(([name, field]) => [
    name,
    SECRET_FIELDS.includes(name.toLowerCase()) ? MASK : masked(field, secrets),
  ]);
  return Object.fromEntries(fields);
}
