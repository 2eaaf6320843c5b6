import type { Announce, AnnouncementTerms, WithdrawAnnouncement } from '../command.ts';
import { type ElementHashes, mix, mixNumber, mixText } from '../digest.ts';
import type { Outcome } from '../event.ts';
import { MAX_ANNOUNCEMENT_LENGTH, MAX_ANNOUNCEMENTS, MAX_TITLE_LENGTH } from '../limits.ts';
import type { ByteReader, ByteWriter } from '../numbers/bytes.ts';
import { invariant, type Rejection, RejectionCode, rejected } from '../rejection.ts';
import { AnnouncementSeverity } from '../terms.ts';

/** The rest of the state, as far as announcements need it. */
interface AnnouncementState extends ElementHashes {
  readonly version: number;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** A text of the operators that clients see. */
export interface Announcement extends AnnouncementTerms {
  readonly id: number;
  /** When it was made, milliseconds since 1970. */
  readonly time: number;
}

const DONE: Outcome = { kind: 'done' };
const SEVERITIES: readonly number[] = Object.values(AnnouncementSeverity);

/** The state part of announcements (engine version 2), which restrict nothing. Those with an end are removed when it comes. */
export class Announcements {
  readonly id = 116;
  /** Number of changes, for readers that follow them; no part of the state. */
  changes = 0;
  nextTime = Number.POSITIVE_INFINITY;
  private nextId = 1;
  /** In ascending order of their ids. */
  private announcements: readonly Announcement[] = [];

  constructor(private readonly state: AnnouncementState) {}

  get isEmpty(): boolean {
    return this.nextId === 1;
  }

  /** The announcements that stand, the oldest first. */
  get all(): readonly Announcement[] {
    return this.announcements;
  }

  announce({ severity, title, text, until }: Announce): Outcome {
    const { state } = this;
    const rejection = this.check({ severity, title, text, until });
    if (rejection !== undefined) return rejection;
    if (this.announcements.length >= MAX_ANNOUNCEMENTS) {
      return rejected(RejectionCode.limitReached, 'announcements');
    }
    state.exclude(this.hashTerms());
    const id = this.nextId++;
    state.include(this.hashTerms());
    this.add({ id, severity, title, text, until, time: state.time });
    return DONE;
  }

  withdraw({ id }: WithdrawAnnouncement): Outcome {
    const announcement = this.announcements.find((each) => each.id === id);
    if (announcement === undefined) return rejected(RejectionCode.unknownAnnouncement);
    this.remove(announcement);
    return DONE;
  }

  /** Removes the oldest of those that end now. */
  runDue(): void {
    this.remove(this.announcements.find(({ until }) => until === this.nextTime)!);
  }

  countDigest(): number {
    return this.announcements.reduce(
      (sum, each) => (sum + hashAnnouncement(each)) | 0,
      this.hashTerms(),
    );
  }

  audit(): void {
    let before = 0;
    for (const { id, until, time } of this.announcements) {
      invariant(before < id && id < this.nextId, 'announcements are not in order');
      invariant(until === 0 || until > time, `announcement ${id} ended before it was made`);
      before = id;
    }
  }

  write(writer: ByteWriter): void {
    writer.number(this.nextId);
    writer.uint32(this.announcements.length);
    for (const { id, severity, title, text, until, time } of this.announcements) {
      writer.number(id);
      writer.byte(severity);
      writer.text(title);
      writer.text(text);
      writer.number(until);
      writer.number(time);
    }
  }

  read(reader: ByteReader): void {
    this.nextId = reader.number();
    this.state.include(this.hashTerms());
    for (let left = reader.uint32(); left > 0; left--) {
      const [id, severity] = [reader.number(), reader.byte()];
      const [title, text] = [reader.text(), reader.text()];
      const [until, time] = [reader.number(), reader.number()];
      this.add({ id, severity, title, text, until, time });
    }
  }

  private check({ severity, title, text, until }: AnnouncementTerms): Rejection | undefined {
    const { version, time } = this.state;
    const reject = (rule: string) => rejected(RejectionCode.invalidRules, rule);
    if (version < 2) return reject('the exchange must be upgraded to engine version 2');
    if (!SEVERITIES.includes(severity)) return reject('the severity must be info or warning');
    if (title.trim() === '' || title.length > MAX_TITLE_LENGTH) {
      return reject(`the title must have 1 to ${MAX_TITLE_LENGTH} characters`);
    }
    if (text.length > MAX_ANNOUNCEMENT_LENGTH) {
      return reject(`the text must have at most ${MAX_ANNOUNCEMENT_LENGTH} characters`);
    }
    return until === 0 || until > time
      ? undefined
      : reject('the announcement must end in the future');
  }

  private add(announcement: Announcement): void {
    this.state.include(hashAnnouncement(announcement));
    this.replaceAll([...this.announcements, announcement]);
  }

  private remove(announcement: Announcement): void {
    this.state.exclude(hashAnnouncement(announcement));
    this.replaceAll(this.announcements.filter((each) => each !== announcement));
  }

  private replaceAll(announcements: readonly Announcement[]): void {
    this.announcements = announcements;
    const ends = announcements.map(({ until }) => until).filter((until) => until !== 0);
    this.nextTime = Math.min(Number.POSITIVE_INFINITY, ...ends);
    this.changes++;
  }

  private hashTerms(): number {
    return this.isEmpty ? 0 : mixNumber(116, this.nextId);
  }
}

function hashAnnouncement(announcement: Announcement): number {
  const { id, severity, title, text, until, time } = announcement;
  const hash = mixNumber(mixNumber(mixNumber(mix(117, severity), id), until), time);
  return mixText(mixText(hash, title), text);
}
