import { describePages } from './describe-pages.ts';
import { operatorPage } from './operator.ts';
import { peopleAndSettings } from './people.ts';
import { everyPage } from './people-pages.ts';
import { portfolioPage } from './portfolio.ts';
import { tradingPage } from './trade.ts';

describePages([portfolioPage, everyPage, tradingPage], [peopleAndSettings, operatorPage]);
