/**
 * Thrown by a handler whose request was accepted but waits for the approval of a second operator: the response has the
 * status 202, and nothing has been carried out yet.
 */
export class AcceptedForApproval extends Error {
  override readonly name = 'AcceptedForApproval';

  /** @param data The response's `data` as JSON, with the request for approval. */
  constructor(readonly data: string) {
    super('a second operator must approve the request');
  }
}
