import type { ComponentChildren } from 'preact';

interface NoticeProps {
  readonly kind: keyof typeof MARKS;
  readonly children: ComponentChildren;
}

/** The marks of messages, by their kinds. */
export const MARKS = { info: 'i', success: '✓', warning: '!', error: '!' } as const;

/** A message that stays on the page. An error is announced at once. */
export function Notice({ kind, children }: NoticeProps) {
  return (
    <div class={`notice ${kind}`} role={kind === 'error' ? 'alert' : undefined}>
      <span class="mark" aria-hidden="true">
        {MARKS[kind]}
      </span>
      <div>{children}</div>
    </div>
  );
}
