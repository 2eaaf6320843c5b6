import type { Option } from '../command.ts';
import { FORMS } from '../forms.ts';

/** The reason of a command for which a policy may require a second operator. */
export const REASON_OPTION: Option = {
  name: 'reason',
  value: 'TEXT',
  help: 'why, for the audit and for a second operator, who needs one',
  form: FORMS.reason,
};
