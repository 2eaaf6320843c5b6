import { Icon } from '../components/icon.tsx';

/** A star as an icon, because fonts draw ★ in different sizes or have none. */
export function Star({ isFilled }: { isFilled: boolean }) {
  return <Icon name="star" class={isFilled ? 'star filled' : 'star'} />;
}
