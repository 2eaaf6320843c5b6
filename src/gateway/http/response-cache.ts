/** Characters of all answers that are kept. */
const MAX_KEPT_LENGTH = 16 * 1024 * 1024;
/** A longer question is not worth keeping an answer to. */
const MAX_QUESTION_LENGTH = 512;

interface Kept {
  readonly version: string | number;
  readonly answer: string | Promise<string>;
  length: number;
}

/**
 * Answers of read endpoints, kept until what they tell of has changed: bots ask far more often than
 * anything happens to them. Those who ask while an answer is being made wait for the same one.
 */
export class ResponseCache {
  /** Those asked for longest ago first. */
  private readonly kept = new Map<string, Kept>();
  private length = 0;

  constructor(private readonly maxLength = MAX_KEPT_LENGTH) {}

  /**
   * The answer to a question. @param question Tells it from every other, the asker included where
   * answers differ by that. @param version Of what the answer tells of: a new one with every change.
   */
  get(
    question: string,
    version: string | number,
    make: () => string | Promise<string>,
  ): string | Promise<string> {
    const kept = this.kept.get(question);
    if (kept !== undefined) {
      if (kept.version === version) return kept.answer;
      this.forget(question, kept);
    }
    const answer = make();
    if (question.length > MAX_QUESTION_LENGTH) return answer;
    const entry: Kept = { version, answer, length: 0 };
    this.kept.set(question, entry);
    this.grow(question, entry, question.length);
    if (typeof answer === 'string') this.grow(question, entry, answer.length);
    else {
      answer.then(
        (text) => this.grow(question, entry, text.length),
        // Who asked is told why; whoever asks next gets another try.
        () => this.forget(question, entry),
      );
    }
    return answer;
  }

  private grow(question: string, entry: Kept, length: number): void {
    if (this.kept.get(question) !== entry) return;
    entry.length += length;
    this.length += length;
    for (const [other, oldest] of this.kept) {
      if (this.length <= this.maxLength) return;
      this.forget(other, oldest);
    }
  }

  private forget(question: string, entry: Kept): void {
    if (this.kept.get(question) !== entry) return;
    this.kept.delete(question);
    this.length -= entry.length;
  }
}
