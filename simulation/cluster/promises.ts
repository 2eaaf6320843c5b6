import type { Command } from '../../src/engine/command.ts';
import type { Outcome } from '../../src/engine/event.ts';
import { equalHashes } from '../../src/log/hash.ts';
import { CommandNotAppliedError } from '../../src/replica/errors.ts';
import { check } from '../failure.ts';
import { toSubmission } from '../state-checker.ts';
import type { Member } from './member.ts';

/** A command submitted to a node, and what is known about it. */
export interface Promised {
  readonly command: Command;
  readonly bytes: Uint8Array;
  readonly member: Member;
  readonly submittedAtMs: number;
  /** The revocation of its key, if that was answered before this command was submitted. */
  readonly revocation: Promised | undefined;
  /** Its place in the stream and its outcome. */
  applied: { readonly sequence: number; readonly outcome: string } | undefined;
  isAnswered: boolean;
  isNotApplied: boolean;
}

export function promise(
  command: Command,
  member: Member,
  submittedAtMs: number,
  revocation?: Promised,
): Promised {
  const { bytes } = toSubmission(command);
  const nothing = { applied: undefined, isAnswered: false, isNotApplied: false };
  return { command, bytes, member, submittedAtMs, revocation, ...nothing };
}

export function sameCommand({ bytes }: Promised, command: Command): boolean {
  return equalHashes(bytes, toSubmission(command).bytes);
}

/** Checks an answer. @param answer The outcome in the format of `plainAnswer`. */
export function noteAnswer(promised: Promised, outcome: Outcome, answer: string): void {
  check(!promised.isAnswered, 'a command was answered twice');
  promised.isAnswered = true;
  const { applied } = promised;
  check(applied !== undefined, `a command was answered (${outcome.kind}) but is not in the log`);
  check(
    applied.outcome === answer,
    `a command was answered with another outcome:\n${answer}\n${applied.outcome}`,
  );
}

/** Checks that a command may be reported as not applied, or as unknown. */
export function noteFailure(promised: Promised, error: Error): void {
  check(!promised.isAnswered, 'a command was answered twice');
  promised.isAnswered = true;
  if (!(error instanceof CommandNotAppliedError)) return;
  check(promised.applied === undefined, 'a command was answered as not applied but is in the log');
  promised.isNotApplied = true;
}
