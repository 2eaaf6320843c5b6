import { expect, test } from 'bun:test';
import { ENVELOPE_OVERHEAD_BYTES } from '../../src/cluster/log/envelope.ts';
import { checkPayload, MIN_MAX_PAYLOAD_BYTES } from '../../src/cluster/stream/stream.ts';
import { MAX_COMMAND_BYTES } from '../../src/log/codec.ts';

const makeServers = (max_payload: number) =>
  ({ info: { max_payload } }) as Parameters<typeof checkPayload>[0];

test('servers must take the largest command with its envelope and headers', () => {
  const headers = 1024;
  expect(MIN_MAX_PAYLOAD_BYTES).toBeGreaterThanOrEqual(
    MAX_COMMAND_BYTES + ENVELOPE_OVERHEAD_BYTES + headers,
  );
  checkPayload(makeServers(MIN_MAX_PAYLOAD_BYTES));
  expect(() => checkPayload(makeServers(MIN_MAX_PAYLOAD_BYTES - 1))).toThrow('max_payload');
});
