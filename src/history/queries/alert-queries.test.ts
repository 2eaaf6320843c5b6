import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { CHECK_TIMEOUT_MS, checkAsync } from '../../../test/check.ts';
import { onEachDatabase, runs, withTemporaryUrl } from '../../../test/history/temporary.ts';
import { CommandKind } from '../../engine/command.ts';
import type { Outcome } from '../../engine/event.ts';
import { RejectionCode, rejected } from '../../engine/rejection.ts';
import { NONE } from '../../engine/terms.ts';
import { caseStatuses } from '../../surveillance/alert.ts';
import { type AlertFilter, ExpectedRows, History, StoredRows } from '../history.ts';
import { alertCasesTable, alertReviewsTable } from '../tables/surveillance.ts';

const ALERTS = 4;
const HASH = new Uint8Array(32);

/** A review of an alert, which comes with the first one, or a commit. */
const steps = fc.array(
  fc.record({
    alert: fc.nat(ALERTS - 1),
    isClosed: fc.boolean(),
    assignee: fc.constantFrom(NONE, 0, 1),
    how: fc.constantFrom('review', 'review', 'review', 'approved', 'rejected', 'commit'),
  }),
  { maxLength: 12 },
);
type Step = typeof steps extends fc.Arbitrary<readonly (infer S)[]> ? S : never;

const alertId = (alert: number) => `pump-${alert}`;

function addAlert(history: History, alert: number): void {
  const place = { sequence: alert, index: 0, time: 0 };
  history.addAlert({
    ...{ id: alertId(alert), detector: 'pump', market: 0, owners: [0], from: place, to: place },
    ...{ figures: {}, foundIn: 1, foundIndex: alert },
  });
}

/** Returns the command of a step, and its outcome. */
function play({ alert, isClosed, assignee, how }: Step) {
  const terms = { alert: alertId(alert), isClosed, assignee, user: '', note: how };
  const review = { kind: CommandKind.reviewAlert, account: 0, key: 0, ...terms } as const;
  const done: Outcome = { kind: 'done' };
  if (how === 'rejected') {
    return { command: review, outcome: rejected(RejectionCode.invalidRules) };
  }
  if (how === 'review') return { command: review, outcome: done };
  const asked = { id: 1, user: '', reason: '', requestedAt: 0, status: 'approved' } as const;
  const approval = { ...asked, command: review };
  const command = { kind: CommandKind.approve, account: 1, key: 1, id: 1, user: '' } as const;
  return { command, outcome: { kind: 'approval', approval, outcome: done } as const };
}

/** Returns the latest step of each alert that was a review. */
function latestSteps(list: readonly Step[]): Map<number, Step> {
  const made = list.filter(({ how }) => how === 'review' || how === 'approved');
  return new Map(made.map((step) => [step.alert, step]));
}

function expected(latest: ReadonlyMap<number, Step>, filter: Partial<AlertFilter>): string[] {
  const ids: string[] = [];
  for (let alert = ALERTS - 1; alert >= 0; alert--) {
    const { isClosed = false, assignee = NONE } = latest.get(alert) ?? {};
    const unclosed = assignee === NONE ? 'open' : 'assigned';
    const status = isClosed ? 'closed' : unclosed;
    if (filter.status !== undefined && filter.status !== status) continue;
    if (filter.assignee === undefined || filter.assignee === assignee) ids.push(alertId(alert));
  }
  return ids;
}

onEachDatabase(() => {
  test(
    'alerts are found by their cases, stored or not, and verification expects the same rows',
    async () => {
      const property = fc.asyncProperty(steps, (list) =>
        withTemporaryUrl(async (url, path) => {
          const history = await History.open(url);
          const rows = new ExpectedRows();
          for (let alert = 0; alert < ALERTS; alert++) addAlert(history, alert);
          for (const [index, step] of list.entries()) {
            const sequence = index + 1;
            if (step.how === 'commit') {
              await history.commit(sequence, HASH);
              continue;
            }
            const { command, outcome } = play(step);
            history.record(sequence, 0, sequence, command, outcome, []);
            rows.record(sequence, 0, sequence, command, outcome, []);
          }
          const latest = latestSteps(list);
          const assignees = [undefined, 0, 1];
          const compare = async () => {
            for (const status of [undefined, ...caseStatuses]) {
              for (const assignee of assignees) {
                const found = await history.alerts({ status, assignee, limit: 10 });
                const wanted = expected(latest, { status, assignee });
                expect(found.map(({ alert }) => alert.id)).toEqual(wanted);
                const one = await history.alerts({ status, assignee, limit: 1 });
                expect(one).toEqual(found.slice(0, 1));
              }
            }
            for (let alert = 0; alert < ALERTS; alert++) {
              const { reviews } = (await history.alert(alertId(alert)))!;
              const made = list.filter(
                (each) => each.alert === alert && !['commit', 'rejected'].includes(each.how),
              );
              expect(reviews.map(({ note }) => note)).toEqual(made.map(({ how }) => how));
              expect(reviews.at(-1)?.assignee).toBe(latest.get(alert)?.assignee);
            }
          };
          await compare();
          await history.commit(list.length + 1, HASH);
          await compare();
          await history.close();
          if (path === '') return;
          const stored = StoredRows.open(path);
          for (const table of [alertReviewsTable, alertCasesTable]) {
            expect(stored.sumTable(table).equals(rows.tableSum(table.name))).toBe(true);
          }
          stored.close();
        }),
      );
      await checkAsync(property, runs(40));
    },
    CHECK_TIMEOUT_MS,
  );
});
