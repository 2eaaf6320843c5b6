import { afterAll, beforeAll } from 'bun:test';
import { rememberLittle } from './little-memory.ts';

/** Runs the tests of a file with an engine that remembers little. */
export function withLittleMemory(): void {
  let restore = () => {};
  beforeAll(() => {
    restore = rememberLittle();
  });
  afterAll(() => restore());
}
