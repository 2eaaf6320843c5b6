import { useSignal } from '@preact/signals';
import type { Network } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { useResource } from '../components/resource.ts';

export type ShownNetwork = Network<string>;

/** Asset and network that the user has chosen, which never disagree. */
export function useNetworkChoice(networks: readonly ShownNetwork[]) {
  const asset = useSignal(networks[0]?.asset ?? '');
  const network = useSignal('');
  const assets = [...new Set(networks.map((each) => each.asset))];
  const ofAsset = networks.filter((each) => each.asset === asset.value);
  const chosen = ofAsset.find((each) => each.network === network.value) ?? ofAsset[0];
  return { asset, network, assets, ofAsset, chosen };
}
export type NetworkChoice = ReturnType<typeof useNetworkChoice>;

export function useNetworks() {
  return useResource(async () => (await api.getNetworks()).networks);
}

/** Returns the name of a network as users know it: `bitcoin` → `Bitcoin`. */
export function networkName(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ');
}

const SECOND_MS = 1000;
const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', SECOND_MS],
] as const;

/** Formats a time span in its largest whole unit, rounded up: `1 day`, `90 minutes`. */
export function duration(ms: number): string {
  const [unit, size] = UNITS.find(([, each]) => ms >= each && ms % each === 0) ?? [
    'second',
    SECOND_MS,
  ];
  const count = Math.ceil(ms / size);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
