/** Drawings on a grid of 20 by 20. The style of a line comes from the control that has the icon. */
export const ICONS = {
  close: 'm5 5 10 10M15 5 5 15',
  dismiss: 'm6 6 8 8M14 6l-8 8',
  expand: 'm5 8 5 5 5-5',
  user: 'M10 10a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM3.5 17.5c.7-3.3 3.2-5 6.5-5s5.8 1.7 6.5 5',
  bell: 'M10 2.5a4.5 4.5 0 0 0-4.5 4.5c0 4-1.5 5-1.5 6h12c0-1-1.5-2-1.5-6A4.5 4.5 0 0 0 10 2.5ZM8.3 15.5a1.8 1.8 0 0 0 3.4 0',
  alert:
    'M10 4a4 4 0 0 0-4 4c0 3.5-1.4 4.4-1.4 5.3h10.8c0-.9-1.4-1.8-1.4-5.3a4 4 0 0 0-4-4ZM8.5 15.5a1.6 1.6 0 0 0 3 0M15 2v4M13 4h4',
  sun: 'M10 6a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM10 1v2M10 17v2M1 10h2M17 10h2M3.6 3.6 5 5M15 15l1.4 1.4M16.4 3.6 15 5M5 15l-1.4 1.4',
  moon: 'M16.5 12.5A7 7 0 0 1 7.5 3.5a7 7 0 1 0 9 9Z',
  copy: 'M7 7h9v9H7Z M13 7V4H4v9h3',
  done: 'm4 10.5 4 4 8-9',
  edit: 'm4 16 .8-3.6L13 4.2a1.4 1.4 0 0 1 2 0l.8.8a1.4 1.4 0 0 1 0 2L7.6 15.2Z',
  passkey: 'M12.5 11a4 4 0 1 0-3.8-2.8L3 14v3h3v-2h2v-2h2l.7-.8a4 4 0 0 0 1.8.8ZM13.5 6.5h.01',
  star: 'm10 2.6 2.3 4.7 5.2.7-3.8 3.6.9 5.2-4.6-2.5-4.6 2.5.9-5.2L2.5 8l5.2-.7Z',
} as const;

export type IconName = keyof typeof ICONS;

interface IconProps {
  readonly name: IconName;
  readonly class?: string;
}

/** An icon without a meaning of its own: its control has a label. */
export function Icon({ name, ...rest }: IconProps) {
  return (
    <svg class={rest.class} viewBox="0 0 20 20" aria-hidden="true">
      <path d={ICONS[name]} />
    </svg>
  );
}
