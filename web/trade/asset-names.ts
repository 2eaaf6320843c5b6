import { signal } from '@preact/signals';

/** Names of well-known assets, so that a search for "bitcoin" finds BTC, for exchanges that name them by their ticker. */
const NAMES: Readonly<Record<string, string>> = {
  AAVE: 'Aave',
  ADA: 'Cardano',
  ALGO: 'Algorand',
  APT: 'Aptos',
  ARB: 'Arbitrum',
  ATOM: 'Cosmos',
  AVAX: 'Avalanche',
  AXS: 'Axie Infinity',
  BAT: 'Basic Attention Token',
  BCH: 'Bitcoin Cash',
  BNB: 'BNB',
  BONK: 'Bonk',
  BTC: 'Bitcoin',
  COMP: 'Compound',
  CRV: 'Curve',
  DAI: 'Dai',
  DASH: 'Dash',
  DOGE: 'Dogecoin',
  DOT: 'Polkadot',
  EGLD: 'MultiversX',
  ENJ: 'Enjin Coin',
  ENS: 'Ethereum Name Service',
  EOS: 'EOS',
  ETC: 'Ethereum Classic',
  ETH: 'Ethereum',
  EUR: 'Euro',
  EURC: 'Euro Coin',
  FIL: 'Filecoin',
  FLOW: 'Flow',
  GBP: 'Pound sterling',
  GRT: 'The Graph',
  HBAR: 'Hedera',
  ICP: 'Internet Computer',
  IMX: 'Immutable',
  INJ: 'Injective',
  JPY: 'Japanese yen',
  KAS: 'Kaspa',
  LDO: 'Lido DAO',
  LINK: 'Chainlink',
  LTC: 'Litecoin',
  MANA: 'Decentraland',
  MKR: 'Maker',
  NEAR: 'Near',
  OP: 'Optimism',
  PAXG: 'Pax Gold',
  PEPE: 'Pepe',
  POL: 'Polygon',
  RENDER: 'Render',
  RUNE: 'THORChain',
  SAND: 'The Sandbox',
  SEI: 'Sei',
  SHIB: 'Shiba Inu',
  SNX: 'Synthetix',
  SOL: 'Solana',
  STX: 'Stacks',
  SUI: 'Sui',
  TIA: 'Celestia',
  TON: 'Toncoin',
  TRX: 'Tron',
  UNI: 'Uniswap',
  USD: 'US dollar',
  USDC: 'USD Coin',
  USDT: 'Tether',
  VET: 'VeChain',
  WBTC: 'Wrapped Bitcoin',
  WIF: 'dogwifhat',
  XLM: 'Stellar',
  XMR: 'Monero',
  XRP: 'XRP',
  XTZ: 'Tezos',
  YFI: 'yearn.finance',
  ZEC: 'Zcash',
};

const listed = signal<ReadonlyMap<string, string>>(new Map());

/** Takes the names that the exchange lists, such as those of assets that an operator has added. */
export function setAssetNames(
  assets: readonly { readonly asset: string; readonly name: string }[],
): void {
  listed.value = new Map(assets.map(({ asset, name }) => [asset, name]));
}

/** Returns all names of an asset: a search for "ethereum" finds ETH, under whichever name the exchange lists it. */
export function searchedNames(asset: string): readonly string[] {
  return [assetName(asset), NAMES[asset] ?? asset];
}

/** Returns the name of an asset as the exchange lists it; its ticker if it has no name. */
export function assetName(asset: string): string {
  const name = listed.value.get(asset);
  return name === undefined || name === '' || name === asset ? (NAMES[asset] ?? asset) : name;
}
