/** A star as an icon, because fonts draw ★ in different sizes or have none. */
export function Star({ isFilled }: { isFilled: boolean }) {
  return (
    <svg class={isFilled ? 'star filled' : 'star'} viewBox="0 0 20 20" aria-hidden="true">
      <path d="m10 2.6 2.3 4.7 5.2.7-3.8 3.6.9 5.2-4.6-2.5-4.6 2.5.9-5.2L2.5 8l5.2-.7Z" />
    </svg>
  );
}
