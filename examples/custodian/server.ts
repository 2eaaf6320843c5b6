import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Custodian, type Instruction, RefusedError } from './custodian.ts';
import type { Faults } from './faults.ts';
import type { ExchangeSignatures } from './signature.ts';

const MAX_BODY_BYTES = 65_536;
/** Decimal numbers as the exchange writes them. */
const AMOUNT = /^\d{1,24}(\.\d{1,24})?$/;

export interface ServerOptions {
  readonly custodian: Custodian;
  readonly faults: Faults;
  readonly signatures: ExchangeSignatures;
}

/** Returns the HTTP server of the custodian: instructions of the exchange, and the control of the made-up chains. */
export function createCustodianServer(options: ServerOptions): Server {
  return createServer((request, response) => {
    answer(request, response, options).catch((error: Error) => {
      const isRefused = error instanceof RefusedError || error instanceof TypeError;
      if (!isRefused) console.error(error);
      reply(response, isRefused ? 409 : 500, { error: error.message });
    });
  });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { custodian, faults, signatures }: ServerOptions,
): Promise<void> {
  const body = await readBody(request);
  const target = request.url!;
  const route = `${request.method} ${target}`;
  if (route === 'POST /instructions') {
    if (faults.isDown) return reply(response, 503, { error: 'down' });
    const header = (name: string) => request.headers[name]?.toString();
    const fault = signatures.findFault(target, header, body, Date.now());
    if (fault !== undefined) return reply(response, 401, { error: fault });
    custodian.follow(parse(body) as unknown as Instruction, body);
    return reply(response, 200, {});
  }
  if (route === 'GET /') return reply(response, 200, status(custodian, faults));
  const content = parse(body);
  switch (route) {
    case 'POST /deposits':
      return reply(response, 200, receive(custodian, content));
    case 'POST /blocks':
      custodian.mine(Number(content.count ?? 1));
      return reply(response, 200, {});
    case 'POST /reorganizations': {
      const drops = (content.drops ?? []) as string[];
      custodian.reorganize(String(content.network), Number(content.depth), drops);
      return reply(response, 200, {});
    }
    case 'POST /faults':
      faults.set(content);
      return reply(response, 200, faults.toJSON());
    default:
      return reply(response, 404, { error: 'Not found: see README.md.' });
  }
}

/** Sends a payment to an address. @throws RefusedError */
function receive(custodian: Custodian, content: Record<string, unknown>) {
  const { asset, network, address, memo = '', amount } = content;
  const isComplete = [asset, network, address, memo].every((each) => typeof each === 'string');
  if (!isComplete || !AMOUNT.test(String(amount))) {
    throw new RefusedError('asset, network, address and amount are required');
  }
  const payment = { address: String(address), memo: String(memo), amount: String(amount) };
  const { id } = custodian.receive(String(asset), String(network), payment);
  return { transaction: id };
}

function status({ saved }: Custodian, faults: Faults) {
  const { chains, addresses, deposits, withdrawals, wallets, instructions } = saved;
  const ids = Object.keys(instructions);
  return { faults, chains, addresses, deposits, withdrawals, wallets, instructions: ids };
}

/** Parses JSON with numbers as texts, so that amounts stay exact. @throws RefusedError */
function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text === '' ? '{}' : text, (name, value, context?: { source?: string }) => {
      const isAmount = typeof value === 'number' && name === 'amount';
      return isAmount ? (context?.source ?? String(value)) : value;
    });
  } catch {
    throw new RefusedError('the body is not JSON');
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new RefusedError('the body is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function reply(response: ServerResponse, code: number, content: object): void {
  response.writeHead(code, { 'content-type': 'application/json' });
  response.end(`${JSON.stringify(content)}\n`);
}
