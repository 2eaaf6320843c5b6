/** Keeps the answer to an earlier request from replacing that to a later one: answers may arrive in any order. */
export class ResponseOrder {
  private begun = 0;
  private shown = 0;

  /** Begins a request. @returns Whether its answer may be shown: no later one has been. */
  begin(): () => boolean {
    const number = ++this.begun;
    return () => {
      if (number < this.shown) return false;
      this.shown = number;
      return true;
    };
  }
}
