/** Counts of what happened in a run, by group and name. */
export class Coverage {
  readonly groups = new Map<string, Map<string, number>>();

  count(group: string, name: string, times = 1): void {
    let names = this.groups.get(group);
    if (names === undefined) {
      names = new Map();
      this.groups.set(group, names);
    }
    names.set(name, (names.get(name) ?? 0) + times);
  }

  get(group: string, name: string): number {
    return this.groups.get(group)?.get(name) ?? 0;
  }

  total(group: string): number {
    let total = 0;
    for (const times of this.groups.get(group)?.values() ?? []) total += times;
    return total;
  }

  add(other: Coverage): void {
    for (const [group, names] of other.groups) {
      for (const [name, times] of names) this.count(group, name, times);
    }
  }

  toJSON(): [string, [string, number][]][] {
    return [...this.groups].map(([group, names]) => [group, [...names]]);
  }

  static from(groups: readonly [string, readonly [string, number][]][]): Coverage {
    const coverage = new Coverage();
    for (const [group, names] of groups) {
      for (const [name, times] of names) coverage.count(group, name, times);
    }
    return coverage;
  }
}
