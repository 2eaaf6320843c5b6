import type { Bug } from './bug.ts';
import { binanceBugs } from './bugs-binance.ts';
import { binanceAnswerBugs } from './bugs-binance-answers.ts';
import { binanceResourceBugs } from './bugs-binance-resources.ts';
import { ccxtBugs } from './bugs-ccxt.ts';
import { clusterBugs } from './bugs-cluster.ts';
import { commandLineBugs } from './bugs-command-line.ts';
import { connectionBugs } from './bugs-connections.ts';
import { disputeBugs } from './bugs-disputes.ts';
import { gatewayBugs } from './bugs-gateway.ts';
import { historyBugs } from './bugs-history.ts';
import { keyBugs } from './bugs-keys.ts';
import { ledgerBugs } from './bugs-ledger.ts';
import { logBugs } from './bugs-log.ts';
import { matchingBugs } from './bugs-matching.ts';
import { operationBugs } from './bugs-operations.ts';
import { pageBugs } from './bugs-pages.ts';
import { replicaBugs } from './bugs-replica.ts';
import { searchBugs } from './bugs-search.ts';
import { signatureBugs } from './bugs-signatures.ts';
import { streamBugs } from './bugs-streams.ts';
import { trailingBugs } from './bugs-trailing.ts';
import { waitingBugs } from './bugs-waiting.ts';

/** All planted bugs. Each is one mistake with an observable effect. */
export const bugs: readonly Bug[] = [
  ...matchingBugs,
  ...waitingBugs,
  ...ledgerBugs,
  ...logBugs,
  ...replicaBugs,
  ...historyBugs,
  ...clusterBugs,
  ...disputeBugs,
  ...gatewayBugs,
  ...keyBugs,
  ...searchBugs,
  ...signatureBugs,
  ...binanceBugs,
  ...binanceAnswerBugs,
  ...binanceResourceBugs,
  ...streamBugs,
  ...operationBugs,
  ...pageBugs,
  ...connectionBugs,
  ...commandLineBugs,
  ...trailingBugs,
  ...ccxtBugs,
];
