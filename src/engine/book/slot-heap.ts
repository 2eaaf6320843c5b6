/** A binary heap of orders' slots, each knowing its place, so that a canceled order leaves at once. */
export abstract class SlotHeap {
  protected readonly heap: number[] = [];

  protected abstract placeOf(slot: number): number;
  protected abstract setPlace(slot: number, place: number): void;
  /** Whether `a` comes before `b`; of two one does. */
  protected abstract isBefore(a: number, b: number): boolean;

  /** Slot of the order that comes first; only where there is one. */
  get first(): number {
    return this.heap[0]!;
  }

  get size(): number {
    return this.heap.length;
  }

  /** Whether the order is in, at the place it knows, and not before one that comes first. */
  isInPlace(slot: number): boolean {
    const place = this.placeOf(slot);
    if (this.heap[place] !== slot) return false;
    return place === 0 || !this.isBefore(slot, this.heap[(place - 1) >> 1]!);
  }

  add(slot: number): void {
    this.heap.push(slot);
    this.rise(this.heap.length - 1, slot);
  }

  /** Takes out an order that is in. */
  remove(slot: number): void {
    const place = this.placeOf(slot);
    const last = this.heap.pop()!;
    if (last === slot) return;
    this.sink(place, last);
    this.rise(this.placeOf(last), last);
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
