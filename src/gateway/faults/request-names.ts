import { BINANCE_ENDPOINTS } from '../binance/endpoints.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import {
  binanceName,
  endpointName,
  mayHaveFaults,
  methodName,
  operationName,
} from './occasions.ts';

/** Returns the names of all requests and operations that can have faults. */
export function listRequestNames(endpoints: readonly Endpoint[]): readonly string[] {
  const faulted = endpoints.filter(mayHaveFaults);
  const operations = faulted.flatMap(({ operation }) => operation?.name ?? []);
  const methods = BINANCE_ENDPOINTS.flatMap(({ operation }) => operation ?? []);
  return [
    ...faulted.map(endpointName),
    ...operations.map(operationName),
    ...BINANCE_ENDPOINTS.map(binanceName),
    ...new Set(methods.map(methodName)),
  ];
}
