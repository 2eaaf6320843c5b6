import type { Command } from '../src/engine/command.ts';
import type { Event, Outcome } from '../src/engine/event.ts';
import type { State } from '../src/engine/state.ts';

export class Auditor {
  audit(
    state: State,
    command: Command,
    time: number,
    outcome: Outcome,
    events: readonly Event[],
  ): void {
    void [state, command, time, outcome, events];
  }
}
