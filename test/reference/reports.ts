/** The kinds of report lines, by their number in the format. */
export enum Report {
  accepted = 0,
  trade = 1,
  canceled = 2,
  modified = 3,
  cancelRejected = 4,
  modifyRejected = 5,
}

/** Numbers per report: sequence × 16 + side × 8 + kind, id, price, quantity, id of the maker. */
export const REPORT_NUMBERS = 5;

/**
 * Formats the report of a run: one line each, sorted by sequence and kind, without a final newline.
 */
export function reportText(numbers: Float64Array, used: number): string {
  const starts: number[] = [];
  for (let at = 0; at < used; at += REPORT_NUMBERS) starts.push(at);
  const order = (at: number) => {
    const head = numbers[at]!;
    return head - (Math.floor(head / 8) % 2) * 8;
  };
  starts.sort((a, b) => order(a) - order(b));
  return starts.map((at) => line(numbers, at)).join('\n');
}

function line(numbers: Float64Array, at: number): string {
  const head = numbers[at]!;
  const kind: Report = head % 8;
  const side = Math.floor(head / 8) % 2;
  const start = `${kind},${Math.floor(head / 16)}`;
  const id = numbers[at + 1]!;
  const price = numbers[at + 2]!;
  const quantity = numbers[at + 3]!;
  switch (kind) {
    case Report.accepted:
    case Report.modified:
      return `${start},${side},${id},${price},${quantity}`;
    case Report.trade:
      return `${start},${price},${quantity},${numbers[at + 4]!},${id}`;
    case Report.canceled:
      return `${start},${side},${id},${price}`;
    default:
      return `${start},${id}`;
  }
}
