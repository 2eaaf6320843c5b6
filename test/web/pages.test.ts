import { approvalsPage } from './approvals.ts';
import { auctionsOnPage } from './auctions.ts';
import { describePages } from './describe-pages.ts';
import { operatorPage } from './operator.ts';
import { portfolioPage } from './portfolio.ts';
import { tradingPage } from './trade.ts';
import { everyPage } from './user-pages.ts';
import { usersAndSettings } from './users.ts';

describePages(
  [portfolioPage, everyPage, tradingPage],
  [auctionsOnPage, usersAndSettings, operatorPage, approvalsPage],
);
