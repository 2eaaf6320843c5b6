import { expect, test } from 'bun:test';
import { Fixture } from '../../../test/fixture.ts';
import { auditState } from '../audit/audit.ts';
import { CommandKind, SYSTEM_ACTOR } from '../command.ts';
import { MAX_ANNOUNCEMENT_LENGTH, MAX_ANNOUNCEMENTS, MAX_TITLE_LENGTH } from '../limits.ts';
import { RejectionCode } from '../rejection.ts';
import { readSnapshot, writeSnapshot } from '../snapshot/snapshot.ts';
import { AnnouncementSeverity } from '../terms.ts';
import type { AnnouncementTerms } from './protection-commands.ts';

const { info, warning } = AnnouncementSeverity;
const NEWS = { severity: info, title: 'A new market', text: 'SOL/USDT opens today.', until: 0 };

function announce(fixture: Fixture, terms: Partial<AnnouncementTerms> = {}) {
  return fixture.apply({ kind: CommandKind.announce, ...SYSTEM_ACTOR, ...NEWS, ...terms });
}

function withdraw(fixture: Fixture, id: number) {
  return fixture.apply({ kind: CommandKind.withdrawAnnouncement, ...SYSTEM_ACTOR, id });
}

const titles = ({ exchange }: Fixture) =>
  exchange.state.parts.announcements.all.map(({ id, title }) => [id, title]);

test('stands until it is withdrawn', () => {
  const fixture = new Fixture();
  const time = fixture.time;
  expect(announce(fixture).kind).toBe('done');
  fixture.wait(1e12);
  fixture.apply({ kind: CommandKind.tick });
  expect(fixture.exchange.state.parts.announcements.all).toEqual([{ ...NEWS, id: 1, time }]);
  auditState(fixture.exchange.state);
});

test('is withdrawn by its id, which is never given again', () => {
  const fixture = new Fixture();
  for (const title of ['one', 'two', 'three']) announce(fixture, { title });
  expect(withdraw(fixture, 3).kind).toBe('done');
  expect(withdraw(fixture, 3)).toMatchObject({ code: RejectionCode.unknownAnnouncement });
  announce(fixture, { title: 'four' });
  expect(titles(fixture)).toEqual([
    [1, 'one'],
    [2, 'two'],
    [4, 'four'],
  ]);
  auditState(fixture.exchange.state);
});

test('ends by itself, the earliest first', () => {
  const fixture = new Fixture();
  const { time } = fixture;
  announce(fixture, { title: 'later', until: time + 2_000 });
  announce(fixture, { title: 'stays' });
  announce(fixture, { title: 'sooner', until: time + 1_000 });
  for (const [wait, left] of [
    [999, ['later', 'stays', 'sooner']],
    [1, ['later', 'stays']],
    [1_000, ['stays']],
  ] as const) {
    fixture.wait(wait);
    fixture.apply({ kind: CommandKind.tick });
    expect(titles(fixture).map(([, title]) => title)).toEqual([...left]);
    auditState(fixture.exchange.state);
  }
});

test('is in the digest and in snapshots', () => {
  const { time } = new Fixture();
  const digest = (terms: Partial<AnnouncementTerms>, withdrawn = false) => {
    const fixture = new Fixture();
    announce(fixture, { ...terms });
    if (withdrawn) withdraw(fixture, 1);
    const { state } = fixture.exchange;
    const read = readSnapshot(writeSnapshot(fixture.exchange)).state;
    expect(read.digest).toBe(state.digest);
    expect(read.parts.announcements.all).toEqual(state.parts.announcements.all);
    auditState(read);
    return state.digest;
  };
  const digests = [
    new Fixture().exchange.state.digest,
    digest({}, true),
    ...[{}, { severity: warning }, { title: 'Other' }, { text: '' }].map((each) => digest(each)),
    ...[1, 2].map((later) => digest({ until: time + later * 60_000 })),
  ];
  expect(new Set(digests).size).toBe(digests.length);
});

test('is rejected with terms that it cannot have', () => {
  const fixture = new Fixture();
  const { digest } = fixture.exchange.state;
  const wrong: readonly Partial<AnnouncementTerms>[] = [
    { severity: 2 },
    { title: ' ' },
    { title: 'x'.repeat(MAX_TITLE_LENGTH + 1) },
    { text: 'x'.repeat(MAX_ANNOUNCEMENT_LENGTH + 1) },
    { until: fixture.time },
  ];
  for (const terms of wrong) {
    expect(announce(fixture, terms)).toMatchObject({ code: RejectionCode.invalidRules });
  }
  expect(fixture.exchange.state.digest).toBe(digest);
  for (let count = 0; count < MAX_ANNOUNCEMENTS; count++)
    expect(announce(fixture).kind).toBe('done');
  expect(announce(fixture)).toMatchObject({ code: RejectionCode.limitReached });
});
