import type { AddNote, RemoveNote } from '../command.ts';
import type { ElementHashes } from '../digest.ts';
import type { Outcome } from '../event.ts';
import type { Account } from '../ledger/accounts.ts';
import { MAX_NOTE_LENGTH, MAX_NOTES_PER_ACCOUNT } from '../limits.ts';
import { type ByteReader, ByteWriter } from '../numbers/bytes.ts';
import { invariant, RejectionCode, rejected } from '../rejection.ts';
import { hashBytes } from './approvals.ts';
import type { Note } from './records.ts';

/** The rest of the state, as far as notes need it. */
interface NoteState extends ElementHashes {
  readonly version: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly accounts: readonly Account[];
}

/** The state part of the notes of operators about accounts. */
export class Notes {
  readonly id = 65;
  readonly nextTime = Number.POSITIVE_INFINITY;
  private nextId = 1;
  /** In ascending order of their ids. */
  private readonly notes = new Map<number, Note>();
  private readonly byOwner = new Map<number, Set<Note>>();

  constructor(private readonly state: NoteState) {}

  get isEmpty(): boolean {
    return this.nextId === 1;
  }

  /** Returns the notes about an account, the oldest first. */
  listByOwner(owner: number): readonly Note[] {
    return [...(this.byOwner.get(owner) ?? [])];
  }

  addNote({ account, key, owner, user, text }: AddNote): Outcome {
    const { state } = this;
    if (state.version < 2) return rejected(RejectionCode.invalidRules, 'engine version 2');
    if (state.accounts[owner] === undefined) return rejected(RejectionCode.unknownAccount);
    if (text.length < 1 || text.length > MAX_NOTE_LENGTH) {
      return rejected(RejectionCode.invalidRules, `a note has 1 to ${MAX_NOTE_LENGTH} characters`);
    }
    if ((this.byOwner.get(owner)?.size ?? 0) >= MAX_NOTES_PER_ACCOUNT) {
      return rejected(RejectionCode.limitReached, 'notes');
    }
    state.exclude(this.hashTerms());
    const note = { id: this.nextId++, owner, account, key, user, text, time: state.time };
    state.include(this.hashTerms());
    this.insert(note);
    return { kind: 'note', note };
  }

  removeNote({ id }: RemoveNote): Outcome {
    const note = this.notes.get(id);
    if (note === undefined) return rejected(RejectionCode.unknownNote);
    this.notes.delete(id);
    const own = this.byOwner.get(note.owner)!;
    own.delete(note);
    if (own.size === 0) this.byOwner.delete(note.owner);
    this.state.exclude(hashNote(note));
    return { kind: 'note', note };
  }

  runDue(): void {}

  countDigest(): number {
    let sum = this.hashTerms();
    for (const note of this.notes.values()) sum = (sum + hashNote(note)) | 0;
    return sum;
  }

  audit(): void {
    let counted = 0;
    for (const [owner, notes] of this.byOwner) {
      const isKnown = this.state.accounts[owner] !== undefined && notes.size > 0;
      invariant(isKnown, `the notes about account ${owner} have no account`);
      for (const note of notes) {
        invariant(this.notes.get(note.id) === note, `the note ${note.id} is missing`);
        counted++;
      }
    }
    invariant(counted === this.notes.size, 'a note belongs to no account');
  }

  write(writer: ByteWriter): void {
    writer.number(this.nextId);
    writer.uint32(this.notes.size);
    for (const note of this.notes.values()) writeNote(writer, note);
  }

  read(reader: ByteReader): void {
    this.nextId = reader.number();
    this.state.include(this.hashTerms());
    for (let left = reader.uint32(); left > 0; left--) this.insert(readNote(reader));
  }

  private insert(note: Note): void {
    this.notes.set(note.id, note);
    const own = this.byOwner.get(note.owner);
    if (own === undefined) this.byOwner.set(note.owner, new Set([note]));
    else own.add(note);
    this.state.include(hashNote(note));
  }

  private hashTerms(): number {
    if (this.isEmpty) return 0;
    const writer = new ByteWriter(8);
    writer.number(this.nextId);
    return hashBytes(65, writer.bytes());
  }
}

function hashNote(note: Note): number {
  const writer = new ByteWriter(256);
  writeNote(writer, note);
  return hashBytes(66, writer.bytes());
}

function writeNote(writer: ByteWriter, note: Note): void {
  writer.number(note.id);
  writer.uint32(note.owner);
  writer.int32(note.account);
  writer.int32(note.key);
  writer.text(note.user);
  writer.text(note.text);
  writer.number(note.time);
}

function readNote(reader: ByteReader): Note {
  return {
    id: reader.number(),
    owner: reader.uint32(),
    account: reader.int32(),
    key: reader.int32(),
    user: reader.text(),
    text: reader.text(),
    time: reader.number(),
  };
}
