import { Trading } from './trading.ts';

/**
 * Buttonwood for CCXT: `new buttonwood({ apiKey, secret, hostname: 'exchange.example.com' })`, or
 * `urls: { api: 'http://10.0.0.7:3000' }`, or `sandbox: true` for the one on this machine.
 */
export class buttonwood extends Trading {}
export default buttonwood;
