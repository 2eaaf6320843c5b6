import { useRef } from 'preact/hooks';

/** Returns whether a field of a form has another text than when the form appeared: if not, there is nothing to send. */
export function useIsChanged(...texts: readonly string[]): boolean {
  const first = useRef(texts);
  return texts.some((text, index) => text.trim() !== first.current[index]!.trim());
}
