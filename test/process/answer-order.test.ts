import { expect, test } from 'bun:test';
import { answerOrder } from './answer-order.ts';
import { traceOrders } from './answer-order-run.ts';
import { describeWithStrace } from './strace.ts';

const LOG = '/data/log/00000000000000000001.log';
const written = (...ids: string[]) =>
  `10 pwrite64(8<${LOG}>, "\\365BW${ids.join('\\v\\0')}\\7", 99, 80) = 99`;
const answered = (id: string) =>
  `10 sendto(29<socket:[7]>, "HTTP/1.1 200 OK\\r\\n\\r\\n{\\"clientOrderId\\":\\"${id}\\"}", 60, MSG_NOSIGNAL, NULL, 0) = 60`;
const syncBegins = `11 fdatasync(8<${LOG}> <unfinished ...>`;
const syncEnds = '11 <... fdatasync resumed>)          = 0 (DELAYED)';
const synced = `12 fdatasync(8<${LOG}>)          = 0`;
const check = (...lines: string[]) => answerOrder(lines.join('\n'), ['id-1', 'id-2']);

test('answers after the sync that covers them are in order', () => {
  const report = check(
    written('id-1'),
    syncBegins,
    '10 write(30<pipe:[1]>, "id-1", 4) = 4',
    syncEnds,
    written('id-2'),
    answered('id-1'),
    synced,
    answered('id-2'),
  );
  expect(report).toEqual({ inOrder: 2, violations: [], syncs: 2 });
});

test.each([
  ['before the write', [answered('id-1'), written('id-1', 'id-2'), synced, answered('id-2')]],
  ['before the sync', [written('id-1', 'id-2'), answered('id-1'), synced, answered('id-2')]],
  [
    'during the sync',
    [written('id-1', 'id-2'), syncBegins, answered('id-1'), syncEnds, answered('id-2')],
  ],
  [
    'after a sync that began before the write',
    [syncBegins, written('id-1', 'id-2'), syncEnds, answered('id-1'), synced, answered('id-2')],
  ],
  [
    'after a sync that failed',
    [written('id-1'), synced.replace('= 0', '= -1 EIO'), answered('id-1')].concat([
      written('id-2'),
      synced,
      answered('id-2'),
    ]),
  ],
  [
    'after the sync of another file',
    [written('id-1', 'id-2'), synced.replace('/log/', '/history/'), answered('id-1')].concat([
      synced,
      answered('id-2'),
    ]),
  ],
])('an answer %s is a violation', (_, lines) => {
  const { inOrder, violations } = check(...lines);
  expect(inOrder).toBe(1);
  expect(violations).toHaveLength(1);
});

test('an answer counts as sent if the process is killed while sending it', () => {
  const killed = answered('id-1').replace(/= \d+$/, '= ?');
  expect(killed).toEndWith('= ?');
  const both = written('id-1', 'id-2');
  expect(check(both, synced, answered('id-2'), killed).inOrder).toBe(2);
  expect(check(both, killed, synced, answered('id-2')).violations).toHaveLength(1);
});

test('a trace without a command or its answer is rejected', () => {
  const lines = [written('id-1', 'id-2'), synced, answered('id-1')];
  expect(() => check(...lines)).toThrow('no answer to id-2');
  expect(() => check(written('id-1'), synced, answered('id-1'), answered('id-2'))).toThrow(
    'id-2 in no write',
  );
});

describeWithStrace('system calls of a real exchange', () => {
  test('no order is answered before the sync that covers it has returned', async () => {
    const { inOrder, violations, syncs } = await traceOrders(300, 16, 2);
    expect(violations).toEqual([]);
    expect(inOrder).toBe(300);
    expect(syncs).toBeGreaterThan(300 / 16);
  }, 60_000);

  test('an exchange that answers before its sync is caught', async () => {
    const flags = ['--preload', './test/process/answer-early.ts'];
    // Longer than a busy machine takes to answer; otherwise the sync would be done by then.
    const { inOrder, violations } = await traceOrders(100, 16, 100, flags);
    expect(violations.length).toBeGreaterThan(10);
    expect(violations.length + inOrder).toBe(100);
  }, 60_000);
});
