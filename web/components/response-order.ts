/** Prevents the response to an earlier request from replacing that to a later one. */
export class ResponseOrder {
  private lastNumber = 0;
  private shown = 0;

  /** Begins a request. @returns A function that returns whether its response may be shown. */
  begin(): () => boolean {
    const number = ++this.lastNumber;
    return () => {
      if (number < this.shown) return false;
      this.shown = number;
      return true;
    };
  }
}
