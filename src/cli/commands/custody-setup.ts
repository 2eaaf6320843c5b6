import type { ExactClient } from '../../client/exact-client.ts';
import { type ExactNumber, numberText } from '../../client/exact-number.ts';
import type { Network, SetNetworkParameters } from '../../client/index.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Option, Result } from '../command.ts';
import { online } from '../connection.ts';
import { usageError } from '../failure.ts';
import { FORMS } from '../forms.ts';
import { type Cell, fields, table } from '../text.ts';
import { REASON_OPTION } from './approval-reason.ts';
import { readPublicKey } from './keys.ts';

type Rule = Exclude<
  keyof SetNetworkParameters,
  'asset' | 'network' | 'typicalDepositMs' | 'explorerUrl' | 'reason' | 'password' | 'code'
>;

/** The rules of a network by field, with the value of a new network if it is not given. */
const RULES: Record<Rule, Option & { readonly byDefault?: string }> = {
  decimals: {
    ...{ name: 'decimals', value: 'N', form: FORMS.assetDecimals },
    help: 'decimals of amounts on the network; required for a new one, and never changed',
  },
  confirmations: {
    ...{ name: 'confirmations', value: 'N', form: FORMS.confirmations },
    help: 'confirmations at which a deposit is credited; required for a new network',
  },
  memo: {
    ...{ name: 'memo', value: 'RULE', form: FORMS.memoRule, byDefault: 'none' },
    help: 'whether addresses have a memo: none, optional or required (default none)',
  },
  deposits: {
    ...{ name: 'deposits', value: 'ON', form: FORMS.onOff, byDefault: 'on' },
    help: 'whether deposits are credited: on or off (default on)',
  },
  withdrawals: {
    ...{ name: 'withdrawals', value: 'ON', form: FORMS.onOff, byDefault: 'on' },
    help: 'whether withdrawals are possible: on or off (default on)',
  },
  minDeposit: amount('min-deposit', 'minimum deposit; smaller ones are not credited (default 0)'),
  minWithdrawal: amount('min-withdrawal', 'minimum withdrawal, without the fee (default 0)'),
  withdrawalFee: amount('withdrawal-fee', 'fee of a withdrawal (default 0)'),
  dailyLimit: amount('daily-limit', 'maximum of an account in 24 hours; 0 for none (default 0)'),
  approvalAbove: amount('approval-above', 'larger withdrawals need two operators (default 0: all)'),
  hourlyCount: {
    ...{ name: 'hourly-count', value: 'N', form: FORMS.hourlyCount, byDefault: '0' },
    help: 'maximum withdrawals of an account in an hour; 0 for no limit (default 0)',
  },
  addressCoolingMs: {
    ...{ name: 'address-cooling-ms', value: 'MS', form: FORMS.custodyMs, byDefault: '86400000' },
    help: 'time for which a new address cannot be used (default a day)',
  },
  newDeviceDelayMs: {
    ...{ name: 'new-device-delay-ms', value: 'MS', form: FORMS.custodyMs, byDefault: '86400000' },
    help: 'time that withdrawals wait after a new device (default a day)',
  },
};

function amount(name: string, help: string) {
  return { name, value: 'X', help, form: FORMS.notNegative, byDefault: '0' };
}

/** The networks of assets, and the key of the custodian. */
export const custodySetupCommands: readonly Command[] = [
  online({
    name: 'networks set',
    positionals: ['ASSET', 'NETWORK'],
    options: [...Object.values(RULES).map(({ byDefault: _, ...option }) => option), REASON_OPTION],
    summary: 'add a network of an asset, or change the rules that are given',
    run: setNetwork,
  }),
  online({
    name: 'custodian show',
    positionals: [],
    options: [],
    summary: 'show the keys of exchange and custodian, and the instructions that wait',
    run: showCustodian,
  }),
  online({
    name: 'custodian holdings',
    positionals: [],
    options: [],
    summary: 'compare the coins at the custodian with what the exchange owes',
    run: showHoldings,
  }),
  online({
    name: 'custodian set-key',
    positionals: [],
    options: [
      {
        name: 'public-key',
        value: 'FILE',
        help: 'Ed25519 public key (PEM) with which the custodian signs',
        isRequired: true,
      },
      REASON_OPTION,
    ],
    summary: 'set the key of the custodian; reports with the former one are rejected at once',
    run: setKey,
  }),
];

async function setNetwork(args: Arguments, client: ExactClient): Promise<Result> {
  const [asset, name] = [args.positional('ASSET'), args.positional('NETWORK')];
  const { networks } = await client.getNetworks();
  const known = networks.find((each) => each.asset === asset && each.network === name);
  const rules = Object.fromEntries(
    Object.entries(RULES).map(([field, option]) => [field, readRule(args, option, field, known)]),
  ) as unknown as Pick<SetNetworkParameters, Rule>;
  const reason = args.option('reason');
  const data = await client.setNetwork({
    ...{ asset, network: name, ...rules },
    ...(reason === undefined ? {} : { reason }),
  });
  const lines = Object.entries(RULES).map(([field, option]): readonly [string, Cell] => [
    option.name,
    shown(data.network[field as Rule]),
  ]);
  const done = `${name} of ${asset} is ${data.created ? 'added' : 'changed'}.`;
  return { data, text: `${done}\n\n${fields(lines)}` };
}

/** Returns the given value of a rule, or else the present one or that of a new network. @throws CliError */
function readRule(
  args: Arguments,
  { name, byDefault }: Option & { readonly byDefault?: string },
  field: string,
  known: Network<ExactNumber> | undefined,
): unknown {
  const given = args.option(name) ?? (known === undefined ? byDefault : undefined);
  if (given === undefined) {
    if (known !== undefined) return known[field as Rule];
    throw usageError(`A new network needs --${name}.`);
  }
  if (field === 'deposits' || field === 'withdrawals') return given === 'on';
  return WHOLE_NUMBERS.has(field) ? Number(given) : given;
}

const WHOLE_NUMBERS: ReadonlySet<string> = new Set<Rule>([
  'decimals',
  'confirmations',
  'hourlyCount',
  'addressCoolingMs',
  'newDeviceDelayMs',
]);

function shown(value: string | boolean | number | ExactNumber): Cell {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return typeof value === 'string' ? value : numberText(value as ExactNumber);
}

async function showCustodian(_args: Arguments, client: ExactClient): Promise<Result> {
  const data = await client.getCustodian();
  const lines: (readonly [string, Cell])[] = [
    ['Host', data.host ?? 'none'],
    [`Key of the exchange (${data.exchangeKeyNumber})`, data.exchangeKey],
    [`Next key of the exchange (${data.exchangeKeyNumber + 1})`, data.nextExchangeKey],
    ['Key of the custodian', data.custodianKey ?? 'none'],
    ['Instructions that wait', data.waiting],
    ['Failed attempts', data.failures],
  ];
  if (data.error !== null) lines.push(['Error', data.error]);
  return { data, text: fields(lines) };
}

async function showHoldings(_args: Arguments, client: ExactClient): Promise<Result> {
  const { assets } = await client.getState();
  const rows = assets.map((each): Cell[] => {
    const { asset, liabilities, holdings, inFlight, covered, holdingsReportedAt } = each;
    const answer = covered === null ? 'not reported' : covered ? 'yes' : 'NO';
    return [asset, liabilities, holdings ?? '', inFlight, answer, holdingsReportedAt ?? ''];
  });
  const columns = ['ASSET', 'OWED', 'AT CUSTODIAN', 'IN FLIGHT', 'COVERED', 'REPORTED'];
  const data = {
    assets: assets.map(({ available, held, fees, external, balances, ...coverage }) => coverage),
  };
  return { data, text: table(columns, rows) };
}

async function setKey(args: Arguments, client: ExactClient): Promise<Result> {
  const reason = args.option('reason');
  const data = await client.setCustodianKey({
    publicKey: readPublicKey(args.required('public-key')),
    ...(reason === undefined ? {} : { reason }),
  });
  return {
    data,
    text: `The custodian has another key from now on (number ${data.keyNumber}).`,
  };
}
