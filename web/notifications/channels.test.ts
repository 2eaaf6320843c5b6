import { describe, expect, test } from 'bun:test';
import { ChannelChanges, type Channels, toggleEvent } from './channels.ts';

const OFFERED = ['order.filled', 'order.canceled', 'deposit.*'];

test('an event is turned on and off, and patterns become the events that they mean', () => {
  expect(toggleEvent(OFFERED, [], 'order.filled', true)).toEqual(['order.filled']);
  expect(toggleEvent(OFFERED, ['order.*'], 'order.filled', false)).toEqual(['order.canceled']);
  expect(toggleEvent(OFFERED, ['*'], 'deposit.*', false)).toEqual([
    'order.filled',
    'order.canceled',
  ]);
});

describe('changes of channels', () => {
  let saved: Channels;
  let shown: Channels;
  let failures: ('before' | 'after')[];
  const store = {
    read: async () => saved,
    async write(changed: Partial<Channels>) {
      const failure = failures.shift();
      if (failure !== 'before') saved = { ...saved, ...changed };
      if (failure !== undefined) throw new Error('no response');
      return saved;
    },
  };
  const begin = (...planned: ('before' | 'after')[]) => {
    failures = planned;
    saved = { page: ['order.filled'], mail: [] };
    shown = saved;
    return new ChannelChanges(OFFERED, saved, store, (channels) => {
      shown = channels;
    });
  };
  const turnOn = (channel: keyof Channels, event: string) => ({ channel, event, isOn: true });

  test('are shown at once, and sent one after another', async () => {
    const changes = begin();
    const both = [
      changes.make(turnOn('page', 'order.canceled')),
      changes.make(turnOn('mail', 'deposit.*')),
    ];
    const expected = { page: ['order.filled', 'order.canceled'], mail: ['deposit.*'] };
    expect(shown).toEqual(expected);
    await Promise.all(both);
    expect([shown, saved]).toEqual([expected, expected]);
  });

  test('a failed one does not take later ones with it', async () => {
    const changes = begin('before');
    const failed = changes.make(turnOn('page', 'order.canceled'));
    const later = changes.make(turnOn('page', 'deposit.*'));
    expect(failed).rejects.toThrow('no response');
    await later;
    expect(shown.page).toEqual(['order.filled', 'deposit.*']);
    expect(shown).toEqual(saved);
  });

  test('one whose response was lost is shown as the exchange has it', async () => {
    const changes = begin('after');
    await expect(changes.make(turnOn('mail', 'deposit.*'))).rejects.toThrow('no response');
    expect(shown.mail).toEqual(['deposit.*']);
    expect(shown).toEqual(saved);
  });
});
