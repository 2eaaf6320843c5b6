import type { PlaceOco } from '../../command.ts';
import type { Outcome } from '../../event.ts';
import { RejectionCode, rejected } from '../../rejection.ts';
import type { State } from '../../state.ts';
import { fingerprintOco, ocoLegs } from '../order-terms.ts';
import { assignOrderId, checkClientOrderId } from '../placement.ts';
import { placeLegs, validateLegs } from './legs.ts';

/** Places OCO orders: two legs of which one cancels the other. Neither trades when it is placed. */
export class OcoOrders {
  constructor(private readonly state: State) {}

  place(command: PlaceOco): Outcome {
    const { state } = this;
    const account = state.accounts[command.account]!;
    const market = state.markets[command.market];
    if (market === undefined) return rejected(RejectionCode.unknownMarket);
    const { clientOrderId } = command;
    const fingerprint = clientOrderId === null ? 0 : fingerprintOco(command);
    const legs = ocoLegs(command);
    const outcome =
      checkClientOrderId(state, account, command, fingerprint) ??
      validateLegs(state, legs, account, market);
    if (outcome !== undefined) return outcome;
    const orderIds = [
      assignOrderId(state, account, clientOrderId, fingerprint),
      assignOrderId(state, account, null, 0),
    ];
    const origin = { parentId: 0, createdAt: state.time };
    const [first, second] = placeLegs(state, legs, orderIds, account, market, origin);
    return { kind: 'oco', orders: [first!, second!] };
  }
}
