/** Lets the browser download a text as a file. */
export function downloadText(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has begun once the event has been handled.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
