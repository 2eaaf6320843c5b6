import { describe, expect, test } from 'bun:test';
import { newRequestId, respond, successBody } from './envelope.ts';

const RATE_LIMIT = { limit: 30, remaining: 29, resetSeconds: 1_790_000_061 };

describe('respond', () => {
  test('sets status, body and the mandatory headers', async () => {
    const response = respond(400, successBody('{"a":1}'), RATE_LIMIT, 'id-1');
    expect(response.status).toBe(400);
    expect(await response.text()).toBe('{"success":true,"data":{"a":1}}');
    expect(Object.fromEntries(response.headers)).toEqual({
      'content-type': 'application/json',
      'x-api-version': '1',
      'x-ratelimit-limit': '30',
      'x-ratelimit-remaining': '29',
      'x-ratelimit-reset': '1790000061',
      'x-request-id': 'id-1',
    });
  });

  test('adds extra headers to one response only', () => {
    const extra = { Allow: 'GET, HEAD, OPTIONS', 'Content-Type': 'text/html' };
    const first = respond(405, '', RATE_LIMIT, 'id-1', extra);
    const second = respond(200, '{}', { ...RATE_LIMIT, remaining: 28 }, 'id-2');
    expect(first.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    expect(first.headers.get('content-type')).toBe('text/html');
    expect(first.headers.get('x-request-id')).toBe('id-1');
    expect(first.headers.get('x-ratelimit-remaining')).toBe('29');
    expect(second.headers.get('allow')).toBeNull();
    expect(second.headers.get('content-type')).toBe('application/json');
    expect(second.headers.get('x-request-id')).toBe('id-2');
  });
});

test('newRequestId never repeats, also across processes', () => {
  const ids = Array.from({ length: 1_000 }, newRequestId);
  const script = `import { newRequestId } from './envelope.ts'; console.log(newRequestId())`;
  const other = Bun.spawnSync([process.execPath, '-e', script], { cwd: import.meta.dir });
  ids.push(other.stdout.toString().trim());
  expect(new Set(ids).size).toBe(1_001);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{16}-[0-9a-z]+$/);
});
