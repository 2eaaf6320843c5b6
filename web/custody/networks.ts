import { useSignal } from '@preact/signals';
import type { Network } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { useResource } from '../components/resource.ts';

export { describeAsset, duration, networkName, withUsualTime } from './network-text.ts';

export type ShownNetwork = Network<string>;

/** Returns the asset of a link such as /deposit?asset=BTC; empty without one, so that no link writes texts on the page. */
export function wantedAsset(): string {
  const asset = new URLSearchParams(location.search).get('asset') ?? '';
  return /^[A-Z0-9]{1,12}$/.test(asset) ? asset : '';
}

/** Returns the asset of the link if no network has it, so that the page can say so. */
export function findUnavailable(networks: readonly ShownNetwork[]): string | undefined {
  const asset = wantedAsset();
  return asset === '' || networks.some((each) => each.asset === asset) ? undefined : asset;
}

/** Asset and network that the user has chosen, which never disagree. */
export function useNetworkChoice(networks: readonly ShownNetwork[]) {
  const assets = [...new Set(networks.map((each) => each.asset))];
  const asset = useSignal(assets.find((each) => each === wantedAsset()) ?? assets[0] ?? '');
  const network = useSignal('');
  const ofAsset = networks.filter((each) => each.asset === asset.value);
  const chosen = ofAsset.find((each) => each.network === network.value) ?? ofAsset[0];
  return { asset, network, assets, ofAsset, chosen };
}
export type NetworkChoice = ReturnType<typeof useNetworkChoice>;

export function useNetworks() {
  return useResource(async () => (await api.getNetworks()).networks);
}
