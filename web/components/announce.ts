import { signal } from '@preact/signals';

/** A link or a button in a toast, such as "Undo". */
export type ToastAction =
  | { readonly label: string; readonly href: string }
  | { readonly label: string; readonly run: () => void };

export interface Toast {
  readonly id: number;
  readonly kind: 'info' | 'success' | 'error';
  readonly text: string;
  readonly action: ToastAction | undefined;
}

const SHOWN_MS = 5000;
/** A toast with an action stays long enough to reach it by keyboard. */
const ACTION_MS = 15_000;

/** The toasts that are shown, the newest last. */
export const toasts = signal<readonly Toast[]>([]);
let lastId = 0;

/** Shows a toast for a few seconds; screen readers announce errors at once, others when idle. */
export function announce(text: string, kind: Toast['kind'] = 'info', action?: ToastAction): void {
  const toast = { id: ++lastId, kind, text, action };
  toasts.value = [...toasts.value, toast].slice(-3);
  setTimeout(() => dismiss(toast.id), action === undefined ? SHOWN_MS : ACTION_MS);
}

export function dismiss(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

/** The ids of the open dialogs, the newest last. Only that one shows toasts: the rest of the page is inert. */
export const openDialogs = signal<readonly string[]>([]);
