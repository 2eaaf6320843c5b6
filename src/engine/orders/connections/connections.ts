import type {
  CloseConnection,
  CloseNodeConnections,
  OpenConnection,
  RenewNodeConnections,
} from '../../command.ts';
import type { Outcome } from '../../event.ts';
import { CONNECTION_LEASE_MS, MAX_CONNECTIONS_PER_ACCOUNT } from '../../limits.ts';
import { type Rejection, RejectionCode, rejected } from '../../rejection.ts';
import type { State } from '../../state.ts';
import type { Portions } from '../endings/portions.ts';

const DONE: Outcome = { kind: 'done' };

/**
 * Opens and closes connections whose orders are canceled when they end. A node renews the lease of all its
 * connections; if it does not, they end when the lease is due (see `Portions`).
 */
export class Connections {
  constructor(
    private readonly state: State,
    private readonly portions: Portions,
  ) {}

  open({ account, node }: OpenConnection): Outcome {
    const { connections, version } = this.state;
    const maximum = version < 2 ? 0 : MAX_CONNECTIONS_PER_ACCOUNT;
    if (connections.count(account) >= maximum) {
      return rejected(RejectionCode.limitReached, 'connections');
    }
    return { kind: 'connection', connection: connections.open(account, node).id };
  }

  /** Rejects a placing command if its connection has ended or belongs to another account. */
  check(id: number, account: number): Rejection | undefined {
    const connection = this.state.connections.get(id);
    return connection?.account === account ? undefined : rejected(RejectionCode.connectionClosed);
  }

  /** Ends a connection and cancels its open orders. */
  close({ connection: id }: CloseConnection): Outcome {
    const connection = this.state.connections.get(id);
    if (connection === undefined) return rejected(RejectionCode.connectionClosed);
    return { kind: 'orders', ...this.portions.disconnect(connection) };
  }

  /** Extends the lease of a node. Rejected if the node has no connections, or they are ending. */
  renew({ node }: RenewNodeConnections): Outcome {
    const { connections, time } = this.state;
    return connections.renew(node, time + CONNECTION_LEASE_MS)
      ? DONE
      : rejected(RejectionCode.connectionClosed);
  }

  /** Ends all connections of a node, in portions. */
  closeNode({ node }: CloseNodeConnections): Outcome {
    const { connections, time } = this.state;
    if (connections.renew(node, time)) this.portions.runDates();
    return DONE;
  }
}
