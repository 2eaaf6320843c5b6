/** The faults that callbacks may have. Each has a probability. */
const KINDS = ['lost', 'unanswered', 'duplicated', 'delayed'] as const;
type Kind = (typeof KINDS)[number];

/** Faults on demand. Nothing of them is saved: a restart ends them. */
export class Faults {
  /** Rejects instructions and sends no callbacks. */
  isDown = false;
  private readonly chances = new Map<Kind, number>();

  /** Changes the faults that are named, such as `{"down": true, "lost": 0.5}`. @throws TypeError */
  set(changes: Readonly<Record<string, unknown>>): void {
    for (const [name, value] of Object.entries(changes)) {
      if (name === 'down' && typeof value === 'boolean') this.isDown = value;
      else if (isKind(name) && typeof value === 'number' && value >= 0 && value <= 1) {
        this.chances.set(name, value);
      } else {
        throw new TypeError(
          `${name} must be one of down (true or false), ${KINDS.join(', ')} (0 to 1)`,
        );
      }
    }
  }

  hits(kind: Kind): boolean {
    return Math.random() < (this.chances.get(kind) ?? 0);
  }

  toJSON() {
    return { down: this.isDown, ...Object.fromEntries(this.chances) };
  }
}

function isKind(name: string): name is Kind {
  return (KINDS as readonly string[]).includes(name);
}
