/** Returns a function that runs `run` at most once per `everyMs`, after that delay. */
export function throttle(everyMs: number, run: () => void): { (): void; cancel(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const schedule = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      run();
    }, everyMs);
  };
  return Object.assign(schedule, {
    cancel: () => {
      clearTimeout(timer);
      timer = undefined;
    },
  });
}
