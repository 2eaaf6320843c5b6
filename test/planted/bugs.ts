import type { Bug } from './bug.ts';
import { approvalBugs } from './bugs-approvals.ts';
import { auctionBugs } from './bugs-auctions.ts';
import { binanceBugs } from './bugs-binance.ts';
import { binanceAnswerBugs } from './bugs-binance-answers.ts';
import { binanceResourceBugs } from './bugs-binance-resources.ts';
import { ccxtBugs } from './bugs-ccxt.ts';
import { clusterBugs } from './bugs-cluster.ts';
import { commandLineBugs } from './bugs-command-line.ts';
import { connectionBugs } from './bugs-connections.ts';
import { custodyBugs } from './bugs-custody.ts';
import { disputeBugs } from './bugs-disputes.ts';
import { faultBugs } from './bugs-faults.ts';
import { forkBugs } from './bugs-forks.ts';
import { gatewayBugs } from './bugs-gateway.ts';
import { historyBugs } from './bugs-history.ts';
import { keyBugs } from './bugs-keys.ts';
import { ledgerBugs } from './bugs-ledger.ts';
import { logBugs } from './bugs-log.ts';
import { matchingBugs } from './bugs-matching.ts';
import { notificationBugs } from './bugs-notifications.ts';
import { operationBugs } from './bugs-operations.ts';
import { pageBugs } from './bugs-pages.ts';
import { pastBugs } from './bugs-past.ts';
import { proofBugs } from './bugs-proofs.ts';
import { protectionBugs } from './bugs-protection.ts';
import { recordedBugs } from './bugs-recorded.ts';
import { replicaBugs } from './bugs-replica.ts';
import { reportBugs } from './bugs-reports.ts';
import { retentionBugs } from './bugs-retention.ts';
import { sandboxBugs } from './bugs-sandbox.ts';
import { scenarioBugs } from './bugs-scenarios.ts';
import { searchBugs } from './bugs-search.ts';
import { signatureBugs } from './bugs-signatures.ts';
import { streamBugs } from './bugs-streams.ts';
import { subAccountBugs } from './bugs-sub-accounts.ts';
import { surveillanceBugs } from './bugs-surveillance.ts';
import { testExchangeBugs } from './bugs-test-exchange.ts';
import { trailingBugs } from './bugs-trailing.ts';
import { waitingBugs } from './bugs-waiting.ts';

/** All planted bugs. Each is one mistake with an observable effect. */
export const bugs: readonly Bug[] = [
  ...matchingBugs,
  ...pastBugs,
  ...waitingBugs,
  ...ledgerBugs,
  ...logBugs,
  ...retentionBugs,
  ...replicaBugs,
  ...historyBugs,
  ...reportBugs,
  ...clusterBugs,
  ...custodyBugs,
  ...subAccountBugs,
  ...disputeBugs,
  ...gatewayBugs,
  ...notificationBugs,
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
  ...sandboxBugs,
  ...forkBugs,
  ...testExchangeBugs,
  ...scenarioBugs,
  ...trailingBugs,
  ...proofBugs,
  ...surveillanceBugs,
  ...protectionBugs,
  ...recordedBugs,
  ...ccxtBugs,
  ...faultBugs,
  ...auctionBugs,
  ...approvalBugs,
];
