/** A binary heap of order slots. Each slot knows its place, so removing one needs no search. */
export abstract class SlotHeap {
  protected readonly heap: number[] = [];

  protected abstract getPlace(slot: number): number;
  protected abstract setPlace(slot: number, place: number): void;
  /** Returns whether `a` comes before `b`; the order must be total. */
  protected abstract isBefore(a: number, b: number): boolean;

  /** The slot that comes first; there must be one. */
  get first(): number {
    return this.heap[0]!;
  }

  get size(): number {
    return this.heap.length;
  }

  /** Returns whether the slot is at its recorded place and not before its parent. */
  isInPlace(slot: number): boolean {
    const place = this.getPlace(slot);
    if (this.heap[place] !== slot) return false;
    return place === 0 || !this.isBefore(slot, this.heap[(place - 1) >> 1]!);
  }

  add(slot: number): void {
    this.heap.push(slot);
    this.rise(this.heap.length - 1, slot);
  }

  /** Removes a slot from the heap. */
  remove(slot: number): void {
    const place = this.getPlace(slot);
    const last = this.heap.pop()!;
    if (last === slot) return;
    this.sink(place, last);
    this.rise(this.getPlace(last), last);
  }

  private rise(start: number, slot: number): void {
    let place = start;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!this.isBefore(slot, this.heap[parent]!)) break;
      this.set(place, this.heap[parent]!);
      place = parent;
    }
    this.set(place, slot);
  }

  private sink(start: number, slot: number): void {
    let place = start;
    for (;;) {
      let child = place * 2 + 1;
      if (child >= this.heap.length) break;
      if (child + 1 < this.heap.length && this.isBefore(this.heap[child + 1]!, this.heap[child]!)) {
        child++;
      }
      if (!this.isBefore(this.heap[child]!, slot)) break;
      this.set(place, this.heap[child]!);
      place = child;
    }
    this.set(place, slot);
  }

  private set(place: number, slot: number): void {
    this.heap[place] = slot;
    this.setPlace(slot, place);
  }
}
