/** Returns a random reference, which makes a transfer idempotent: submitting twice moves money once. */
export function newReference(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return `page-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
