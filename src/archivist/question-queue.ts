import type { ArchiveQuery } from './archive.ts';
import { accountOf } from './history-answers.ts';

/** A query that waits for its answer. */
export interface Question {
  readonly id: number;
  readonly query: ArchiveQuery;
  /** The answer holds every batch up to this one. */
  readonly position: number;
  /** The answer in the making, once its first step has begun. */
  steps?: AsyncGenerator<void, unknown>;
}

/**
 * Questions share the archivist's thread by group: each account's reads, reads of public data, and queries of the
 * node itself, which orders and transfers may wait for.
 */
export type QuestionGroup = number | 'public' | 'node';

export function groupOf(query: ArchiveQuery): QuestionGroup {
  const isPublic = query.kind === 'trades' || query.kind === 'candles';
  return accountOf(query) ?? (isPublic ? 'public' : 'node');
}

/** Takes one question of each group in turn; questions of one group in the order in which they came. */
export class QuestionQueue {
  /** The group whose turn is next comes first. */
  private readonly groups = new Map<QuestionGroup, Question[]>();

  add(question: Question): void {
    this.group(question).push(question);
  }

  /** Puts a question that needs more steps back in front of the others of its group. */
  putBack(question: Question): void {
    this.group(question).unshift(question);
  }

  /** Removes and returns the next question that a state at `position` can answer. */
  take(position: number): Question | undefined {
    for (const [group, questions] of this.groups) {
      if (questions[0]!.position > position) continue;
      const question = questions.shift()!;
      this.groups.delete(group);
      if (questions.length > 0) this.groups.set(group, questions);
      return question;
    }
    return undefined;
  }

  /** Whether a state at `position` can answer a question. */
  isDue(position: number): boolean {
    return this.groups.values().some(([first]) => first!.position <= position);
  }

  private group({ query }: Question): Question[] {
    const key = groupOf(query);
    const questions = this.groups.get(key) ?? [];
    this.groups.set(key, questions);
    return questions;
  }
}
