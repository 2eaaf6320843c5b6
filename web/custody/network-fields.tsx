import { Select } from '../components/field.tsx';
import { t } from '../i18n/index.ts';
import { describeAsset, type NetworkChoice, networkName } from './networks.ts';

/** Selects for the asset and one of its networks. */
export function NetworkFields({ choice }: { choice: NetworkChoice }) {
  const { asset, network, assets, ofAsset, chosen } = choice;
  return (
    <>
      <Select
        label={t('Asset')}
        value={asset.value}
        options={assets.map((name) => [name, describeAsset(name)] as const)}
        onChange={(name) => {
          asset.value = name;
        }}
      />
      <Select
        label={t('Network')}
        value={chosen?.network ?? ''}
        options={ofAsset.map(({ network: name }) => [name, networkName(name)] as const)}
        onChange={(name) => {
          network.value = name;
        }}
      />
    </>
  );
}
