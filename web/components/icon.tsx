/** Drawings on a grid of 20 by 20. The style of a line comes from the control that has the icon. */
export const ICONS = {
  close: 'm5 5 10 10M15 5 5 15',
  dismiss: 'm6 6 8 8M14 6l-8 8',
  search: 'M8.5 14a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11ZM12.5 12.5 17 17',
  chevron: 'm5 8 5 5 5-5',
  sort: 'm6 8 4-4 4 4M6 12l4 4 4-4',
  ascending: 'm6 8 4-4 4 4',
  descending: 'm6 12 4 4 4-4',
  calendar: 'M3 5h14v12H3zM3 9h14M7 2.5V6M13 2.5V6',
  filter: 'M3 4.5h14l-5 6.3v5l-4-2v-3Z',
  download: 'M10 3v9m-4-4 4 4 4-4M4 16.5h12',
  trash: 'M4 6h12M8 6V4h4v2M6 6l1 11h6l1-11',
  user: 'M10 10a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM3.5 17.5c.7-3.3 3.2-5 6.5-5s5.8 1.7 6.5 5',
  bell: 'M10 2.5a4.5 4.5 0 0 0-4.5 4.5c0 4-1.5 5-1.5 6h12c0-1-1.5-2-1.5-6A4.5 4.5 0 0 0 10 2.5ZM8.3 15.5a1.8 1.8 0 0 0 3.4 0',
  alert:
    'M10 4a4 4 0 0 0-4 4c0 3.5-1.4 4.4-1.4 5.3h10.8c0-.9-1.4-1.8-1.4-5.3a4 4 0 0 0-4-4ZM8.5 15.5a1.6 1.6 0 0 0 3 0M15 2v4M13 4h4',
  sun: 'M10 6a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM10 1v2M10 17v2M1 10h2M17 10h2M3.6 3.6 5 5M15 15l1.4 1.4M16.4 3.6 15 5M5 15l-1.4 1.4',
  moon: 'M16.5 12.5A7 7 0 0 1 7.5 3.5a7 7 0 1 0 9 9Z',
  copy: 'M7 7h9v9H7Z M13 7V4H4v9h3',
  done: 'm4 10.5 4 4 8-9',
  menu: 'M3 5.5h14M3 10h14M3 14.5h14',
  edit: 'm4 16 .8-3.6L13 4.2a1.4 1.4 0 0 1 2 0l.8.8a1.4 1.4 0 0 1 0 2L7.6 15.2Z',
  eye: 'M1.8 10S4.7 4.6 10 4.6 18.2 10 18.2 10 15.3 15.4 10 15.4 1.8 10 1.8 10ZM10 12.4a2.4 2.4 0 1 0 0-4.8 2.4 2.4 0 0 0 0 4.8Z',
  eyeOff:
    'M1.8 10S4.7 4.6 10 4.6 18.2 10 18.2 10 15.3 15.4 10 15.4 1.8 10 1.8 10ZM10 12.4a2.4 2.4 0 1 0 0-4.8 2.4 2.4 0 0 0 0 4.8ZM3.5 16.5l13-13',
  passkey: 'M12.5 11a4 4 0 1 0-3.8-2.8L3 14v3h3v-2h2v-2h2l.7-.8a4 4 0 0 0 1.8.8ZM13.5 6.5h.01',
  star: 'm10 2.6 2.3 4.7 5.2.7-3.8 3.6.9 5.2-4.6-2.5-4.6 2.5.9-5.2L2.5 8l5.2-.7Z',
  keyboard: 'M2.5 5.5h15v9h-15zM5.5 8.5h.01M8.5 8.5h.01M11.5 8.5h.01M14.5 8.5h.01M6.5 11.5h7',
  layout: 'M3 3h14v14H3zM12 3v14M3 11h9',
  grid: 'M3 3h6v6H3zM11 3h6v6h-6zM3 11h6v6H3zM11 11h6v6h-6z',
  fullScreen: 'M3 8V3h5M12 3h5v5M17 12v5h-5M8 17H3v-5',
  bars: 'M3 16V9M8 16V4M13 16v-6M18 16V7',
  book: 'M3 5h14M3 8h10M3 12h14M3 15h7',
  trades: 'M4 7h12l-3-3M16 13H4l3 3',
  swap: 'M4 7h12M13 4l3 3-3 3M16 13H4M7 10l-3 3 3 3',
  orders: 'M5 3h10v14H5zM8 7h4M8 10h4M8 13h2',
  candles: 'M5 3v14M3.5 6h3v8h-3zM12 4v13M10.5 8h3v5h-3z',
  indicator: 'M3 14c3-9 5-9 7-4s4 4 7-5M3 17h14',
  tools: 'M3 6h8M15 6h2M3 14h2M9 14h8M11 4h4v4h-4zM5 12h4v4H5z',
  magnet: 'M4 3h3v7a3 3 0 0 0 6 0V3h3v7a6 6 0 0 1-12 0zM4 6h3M13 6h3',
  trend: 'M4 15 16 5M3 14h2v2H3zM15 4h2v2h-2z',
  ray: 'M4 15 17 4M3 14h2v2H3zM13 4h4v4',
  horizontal: 'M2 10h16M9 9h2v2H9z',
  vertical: 'M10 2v16M9 9h2v2H9z',
  rectangle: 'M4 5h12v10H4zM3 4h2v2H3zM15 14h2v2h-2z',
  fibonacci: 'M3 4h14M3 8h14M3 11h14M3 16h14',
  measure: 'M3 13 13 3l4 4L7 17zM6 10l2 2M9 7l2 2',
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
