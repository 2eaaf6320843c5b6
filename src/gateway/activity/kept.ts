/** Values that are kept for some time, by the object that they are about. */
export class Kept<Key extends object, Value> {
  private readonly values = new WeakMap<Key, { readonly at: number; value: Promise<Value> }>();

  /** @param maxAgeMs Age from which a value is read again, milliseconds. */
  constructor(private readonly maxAgeMs: number) {}

  /** Returns the value, which is read if it is missing, too old, or could not be read. */
  get(key: Key, read: () => Promise<Value>): Promise<Value> {
    const known = this.values.get(key);
    const now = performance.now();
    if (known !== undefined && now - known.at < this.maxAgeMs) return known.value;
    const value = read();
    this.values.set(key, { at: now, value });
    value.catch(() => this.values.delete(key));
    return value;
  }
}
