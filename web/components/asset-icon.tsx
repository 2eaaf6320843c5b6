const TONES = 6;
/** Marks on the discs, chosen by the ticker, so that assets with the same first letter differ. */
const MARKS = [
  'M4 22 22 4',
  'M4 13h18',
  'M13 4v18',
  'M4 4l18 18',
  'M4 9a13 13 0 0 1 18 8',
  'M13 4a9 9 0 0 1 0 18',
] as const;

/** A drawn mark of an asset: a disc in a color of its own with its first letter. No brand is copied. */
export function AssetIcon({ asset }: { asset: string }) {
  const hash = hashTicker(asset);
  return (
    <svg class={`asset-icon ${assetTone(asset)}`} viewBox="0 0 26 26" aria-hidden="true">
      <circle cx="13" cy="13" r="12" />
      <path d={MARKS[Math.floor(hash / TONES) % MARKS.length]} />
      <text x="13" y="17.5" text-anchor="middle">
        {asset.charAt(0)}
      </text>
    </svg>
  );
}

/** Returns the color class of an asset, the same on all pages. */
export function assetTone(asset: string): string {
  return `asset-tone-${hashTicker(asset) % TONES}`;
}

/** Returns a number that is the same for a ticker on all pages (FNV-1a). */
function hashTicker(asset: string): number {
  let hash = 0x811c9dc5;
  for (const char of asset) hash = Math.imul(hash ^ char.codePointAt(0)!, 0x01000193);
  return hash >>> 0;
}
