import { randomUUID } from 'node:crypto';
import { ApiRequestError } from '../../client/errors.ts';
import type { ExactClient } from '../../client/exact-client.ts';
import type { UseFaucetParameters } from '../../client/index.ts';
import { FAUCET, FAUCET_ASSETS, FUNDS } from '../../config/sandbox-funds.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Result } from '../command.ts';
import { online } from '../connection.ts';
import { CliError, ExitCode } from '../failure.ts';
import { fields } from '../text.ts';

export const sandboxCommands: readonly Command[] = [
  online({
    name: 'sandbox faucet',
    positionals: ['ACCOUNT', 'COIN'],
    options: [],
    summary: 'credit a sandbox account with demo funds',
    run: faucet,
  }),
  online({
    name: 'sandbox account',
    positionals: ['NAME'],
    options: [],
    summary: 'open a funded account with an API key; its secret is shown only once',
    run: openAccount,
  }),
];

async function faucet(args: Arguments, client: ExactClient): Promise<Result> {
  const account = args.positional('ACCOUNT');
  const asset = args.positional('COIN').toUpperCase() as keyof typeof FAUCET;
  await checkSandbox(client);
  const reference = `faucet-${randomUUID()}`;
  const data = await credit(client, account, asset, FAUCET[asset], reference, 'faucet');
  return { data, text: `Credited ${account} with ${FAUCET[asset]} ${asset}.` };
}

/** References contain the account id, so an interrupted command can be repeated and credits once. */
async function openAccount(args: Arguments, client: ExactClient): Promise<Result> {
  const accountId = args.positional('NAME');
  await checkSandbox(client);
  const { created } = await client.createAccount({ accountId });
  for (const asset of FAUCET_ASSETS) {
    const reference = `sandbox-${accountId}-${asset}`;
    await credit(client, accountId, asset, FUNDS[asset], reference, 'sandbox funds');
  }
  const { key, apiSecret } = await client.createKey({
    id: args.positional('NAME'),
    permissions: ['read', 'trade'],
    label: 'sandbox account',
  });
  const shown = fields([
    [created ? 'Opened' : 'Exists', accountId],
    ['Funds', FAUCET_ASSETS.map((asset) => `${FUNDS[asset]} ${asset}`).join(', ')],
    ['API key', key.apiKey],
    ['API secret', apiSecret],
  ]);
  const text = `${shown}\n\nSave the secret now. It is not shown again.`;
  return { data: { accountId, created, apiKey: key.apiKey, apiSecret }, text };
}

function credit(
  client: ExactClient,
  account: string,
  asset: string,
  amount: number,
  reference: string,
  reason: string,
) {
  return client.createTransfer({ account, asset, amount, reference, reason });
}

/** Rejects a real exchange, recognized by its lack of a faucet: money must not be created there by mistake. */
async function checkSandbox(client: ExactClient): Promise<void> {
  try {
    // Without an asset nothing is credited.
    await client.useFaucet({} as UseFaucetParameters);
  } catch (error) {
    if (!(error instanceof ApiRequestError)) throw error;
    if (error.code === 'NOT_FOUND') {
      throw new CliError(
        ExitCode.failed,
        'NO_SANDBOX',
        'That exchange is not a sandbox. Use "buttonwood credit" instead.',
      );
    }
    if (error.status === 401) throw error;
  }
}
