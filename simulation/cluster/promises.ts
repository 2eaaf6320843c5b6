import type { Command } from '../../src/engine/command.ts';
import type { Outcome } from '../../src/engine/event.ts';
import { equalHashes } from '../../src/log/hash.ts';
import { CommandNotAppliedError } from '../../src/replica/errors.ts';
import { check } from '../failure.ts';
import { submissionOf } from '../state-checker.ts';
import type { Member } from './member.ts';

/** A command that somebody has asked a node for, and what is known of it. */
export interface Promised {
  readonly command: Command;
  readonly bytes: Uint8Array;
  readonly member: Member;
  readonly submittedAtMs: number;
  /** The revocation of its key, if that was answered before this command was submitted. */
  readonly revocation: Promised | undefined;
  /** Its place in the stream, and what came of it. */
  applied: { readonly sequence: number; readonly outcome: string } | undefined;
  isAnswered: boolean;
  isUndone: boolean;
}

export function promise(
  command: Command,
  member: Member,
  submittedAtMs: number,
  revocation?: Promised,
): Promised {
  const { bytes } = submissionOf(command);
  const nothing = { applied: undefined, isAnswered: false, isUndone: false };
  return { command, bytes, member, submittedAtMs, revocation, ...nothing };
}

export function sameCommand({ bytes }: Promised, command: Command): boolean {
  return equalHashes(bytes, submissionOf(command).bytes);
}

/** Checks an answer. @param answer The outcome as `plainAnswer` tells it. */
export function noteAnswer(promised: Promised, outcome: Outcome, answer: string): void {
  check(!promised.isAnswered, 'a command was answered twice');
  promised.isAnswered = true;
  const { applied } = promised;
  check(
    applied !== undefined,
    `a command was answered (${outcome.kind}) that the log does not hold`,
  );
  check(
    applied.outcome === answer,
    `a command was answered as something else:\n${answer}\n${applied.outcome}`,
  );
}

/** Checks that a command may be said to be undone, or unknown. */
export function noteFailure(promised: Promised, error: Error): void {
  check(!promised.isAnswered, 'a command was answered twice');
  promised.isAnswered = true;
  if (!(error instanceof CommandNotAppliedError)) return;
  check(promised.applied === undefined, 'a command was answered as undone, and the log holds it');
  promised.isUndone = true;
}
