/** A function that has `run` called soon, however often it is called itself: once in so many milliseconds. */
export function throttle(everyMs: number, run: () => void): { (): void; cancel(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ask = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      run();
    }, everyMs);
  };
  return Object.assign(ask, {
    cancel: () => {
      clearTimeout(timer);
      timer = undefined;
    },
  });
}
