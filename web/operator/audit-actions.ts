import { capitalize } from '../format.ts';
import { msg } from '../i18n/t.ts';

interface AuditAction {
  /** Name of the command. */
  readonly action: string;
  readonly group: string;
  readonly title: string;
}

/** The audited commands by subject, with their readable names. */
const GROUPS: readonly (readonly [group: string, titles: Readonly<Record<string, string>>])[] = [
  [
    msg('Balances'),
    {
      transfer: msg('Credit or debit'),
      internalTransfer: msg('Transfer between accounts'),
      bustTrade: msg('Bust trade'),
    },
  ],
  [
    msg('Accounts'),
    {
      createAccount: msg('Create account'),
      setAccountStatus: msg('Freeze or unfreeze account'),
      setAccountLimitClass: msg('Set rate-limit multiplier'),
      cancelOrdersOf: msg('Cancel orders of account'),
      createSubAccount: msg('Create sub-account'),
      renameSubAccount: msg('Rename sub-account'),
      closeSubAccount: msg('Close or reopen sub-account'),
      addNote: msg('Add note'),
      removeNote: msg('Remove note'),
    },
  ],
  [
    msg('Keys and permissions'),
    {
      createKey: msg('Create API key'),
      createSignedKey: msg('Create signing key'),
      createHmacKey: msg('Create HMAC key'),
      resealKey: msg('Reseal HMAC key'),
      changeKey: msg('Change API key'),
      revokeKey: msg('Revoke API key'),
      grantAccess: msg('Grant permissions'),
    },
  ],
  [
    msg('Markets'),
    {
      createAsset: msg('Add asset'),
      listMarket: msg('List market'),
      setMarketStatus: msg('Set market status'),
      changeMarketRules: msg('Change market rules'),
      delistMarket: msg('Delist market'),
      setTradingStatus: msg('Set trading status'),
      scheduleMaintenance: msg('Schedule maintenance'),
      cancelMaintenance: msg('Cancel maintenance'),
      announce: msg('Announce'),
      withdrawAnnouncement: msg('Withdraw announcement'),
      setTradingLimits: msg('Set trading limits'),
    },
  ],
  [
    msg('Fees'),
    {
      setFeeTiers: msg('Set fee tiers'),
      setAccountFeeTier: msg('Set fee tier of account'),
      setFeeDiscount: msg('Set fee discount'),
      setReferralShare: msg('Set referral share'),
      setReferrer: msg('Set referrer'),
    },
  ],
  [
    msg('Deposits & withdrawals'),
    {
      setNetwork: msg('Set network'),
      setCustodianKey: msg('Set custodian key'),
      assignAddress: msg('Assign deposit address'),
      resolveDeposit: msg('Resolve deposit'),
      addWithdrawalAddress: msg('Add withdrawal address'),
      removeWithdrawalAddress: msg('Remove withdrawal address'),
      requestWithdrawal: msg('Request withdrawal'),
      cancelWithdrawal: msg('Cancel withdrawal'),
      approveWithdrawal: msg('Approve withdrawal'),
      rejectWithdrawal: msg('Reject withdrawal'),
      reportWithdrawal: msg('Report withdrawal'),
    },
  ],
  [
    msg('Approvals and surveillance'),
    {
      setApprovalPolicy: msg('Set approval policy'),
      requestApproval: msg('Request approval'),
      approve: msg('Approve request'),
      rejectApproval: msg('Reject or withdraw request'),
      expireApproval: msg('Expire request'),
      reviewAlert: msg('Review alert'),
    },
  ],
  [msg('System'), { open: msg('Open log'), upgrade: msg('Upgrade'), skip: msg('Skip command') }],
];

export const AUDIT_ACTIONS: readonly AuditAction[] = GROUPS.flatMap(([group, titles]) =>
  Object.entries(titles).map(([action, title]) => ({ action, group, title })),
);
const TITLES = new Map(AUDIT_ACTIONS.map(({ action, title }) => [action, title]));

/** Commands whose target is the exchange if they name none; the target of others is the account that sends them then. */
export const EXCHANGE_WIDE: ReadonlySet<string> = new Set([
  ...['setTradingStatus', 'scheduleMaintenance', 'cancelMaintenance', 'announce'],
  ...['withdrawAnnouncement', 'setTradingLimits', 'setCustodianKey', 'setApprovalPolicy'],
  ...['setReferralShare', 'requestApproval', 'upgrade'],
]);
/** Commands about requests for approval, whose `id` is that of the request. */
export const ABOUT_REQUESTS: ReadonlySet<string> = new Set([
  'approve',
  'rejectApproval',
  'expireApproval',
]);

/**
 * Returns the readable name of a command, marked for translation: `setMarketStatus` → `Set market status`. Commands of
 * later releases are spelled out.
 */
export function describeAction(action: string): string {
  const title = TITLES.get(action);
  if (title !== undefined) return title;
  return capitalize(action.replace(/([A-Z])/g, ' $1').toLowerCase());
}

/**
 * Returns the actions that a text finds, by parts of the readable name, of the group or of the command.
 * @param translate Translates names and groups
 */
export function findActions(text: string, translate: (text: string) => string): AuditAction[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return AUDIT_ACTIONS.filter(({ action, group, title }) => {
    const all = `${translate(title)} ${translate(group)} ${action}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
}
