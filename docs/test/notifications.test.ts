import { defaultNotificationSettings, type DomainEvent, domainEventTypes, templateKeys } from '@calends/core';
import { interactionStates, notificationStates, notificationTypes } from '@calends/core/store';
import { notForwardedHeaders } from '@calends/core/notifier';
import { describe, expect, it } from 'vitest';
import { notificationTypeOf, tellsCustomers } from '../../packages/core/src/domain/notifications/notified-events.js';
import { pollPlan, pollProperties } from '../../packages/core/src/settings/poll-properties.js';
import type { Happening } from '../../packages/core/src/delivery/state.js';
import { type DeliveryPhase, deliveryPhases } from '../../packages/core/src/domain/notifications/notification.js';
import { happenings, movesOf } from '../../packages/core/test/notifications/moves.js';
import { argumentKinds } from '../../packages/core/src/messages/template-keys.js';
import { read } from './documents.js';

const guide = read('docs/guides/notifications.md');

/** Cells of the tables under a heading, without their head. */
function rowsUnder(heading: string, document = guide): readonly (readonly string[])[] {
  const [, section = ''] = document.split(`\n## ${heading}\n`);
  const [own = ''] = section.split('\n## ');
  const lines = own.split('\n').filter((line) => line.startsWith('|'));
  const rows = lines.filter((line, index) => !isRule(line) && !isRule(lines[index + 1] ?? ''));
  return rows.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const isRule = (line: string): boolean => /^\|[ |-]+\|$/.test(line);
const namesIn = (text = ''): readonly string[] => Array.from(text.matchAll(/`([^`]+)`/g), ([, name = '']) => name);

describe('the guide of notifications', () => {
  it('the guide of notifications has for each event the types that it causes, and whom they tell', () => {
    const written = new Map<string, { types: string[]; customers: boolean; hooks: boolean }>();
    let last = '';
    for (const [event, types, customers, hooks] of rowsUnder('What is sent when')) {
      last = namesIn(event)[0] ?? last;
      const before = written.get(last)?.types ?? [];
      const all = [...before, ...namesIn(types)].sort();
      written.set(last, { types: all, customers: customers === 'yes', hooks: hooks === 'yes' });
    }
    expect([...written.keys()].sort()).toEqual([...domainEventTypes].sort());
    for (const type of domainEventTypes) {
      const causes = interactionStates.map((interactionState) =>
        notificationTypeOf({ type, data: { interactionState, explicit: true } } as DomainEvent),
      );
      const types = [...new Set(causes)].filter((each) => each !== undefined).sort();
      expect(written.get(type), type).toEqual({ types, customers: types.some(tellsCustomers), hooks: true });
    }
  });

  it('the guide of notifications names the headers that are not forwarded (D63)', () => {
    const rows = rowsUnder('Headers of an appointment');
    const written = rows.flatMap(([, names]) => namesIn(names)).filter((name) => !name.includes('NotificationHeaders'));
    expect(written.sort()).toEqual([...notForwardedHeaders].sort());
  });

  it('the guide of notifications draws every state, and the moves that its table has', () => {
    const diagram = read('docs/guides/diagrams/notification-states.svg');
    const boxes = Array.from(diagram.matchAll(/data-state="(\w+)"/g), ([, name]) => name);
    expect(boxes.sort()).toEqual([...notificationStates].sort());
    const drawn = Array.from(diagram.matchAll(/data-from="(\w*)" data-to="(\w+)"/g), ([, from, to]) => `${from} ${to}`);
    const written = rowsUnder('States').map(([from, , to]) => `${namesIn(from)[0] ?? ''} ${namesIn(to)[0] ?? ''}`);
    expect(new Set(drawn)).toEqual(new Set(written));
  });

  it('the guide of notifications has the waits between attempts that hold by default', () => {
    const units: Readonly<Record<string, number>> = { s: 1000, min: 60_000, h: 3_600_000 };
    const milliseconds = (text: string): number => {
      const [count, unit = ''] = text.split(' ');
      return Number(count) * (units[unit] ?? NaN);
    };
    const { email, sms, webhooks } = defaultNotificationSettings.retry;
    const rows = rowsUnder('Attempts').map(([channel, attempts, waits = '']) => [
      channel,
      Number(attempts),
      waits.split(', ').map(milliseconds),
    ]);
    expect(rows).toEqual([
      ['EMAIL', email.length + 1, email],
      ['SMS', sms.length + 1, sms],
      ['WEBHOOKS', webhooks.length + 1, webhooks],
    ]);
  });

  it('the guide of notifications has the polling properties with their defaults, and how long their questions take', () => {
    const defaults = Object.entries(pollProperties({})).map(([name, { value }]) => [name, value]);
    expect(rowsUnder('Polling and receipts').map(([name, , value]) => [...namesIn(name), ...namesIn(value)])).toEqual(
      defaults,
    );
    const { initialDelay, interval, backoffFactor, maxInterval, maxAttempts } = pollPlan({}, 'SMS');
    const waits = Array.from({ length: maxAttempts - 1 }, (_, index) =>
      Math.min(interval * backoffFactor ** index, maxInterval),
    );
    expect(waits.reduce((sum, wait) => sum + wait, initialDelay) / 3_600_000).toBeCloseTo(1.5, 1);
  });
});

describe('the guide of delivery', () => {
  it('the guide of delivery has what may happen in each phase, and the phases that follow', () => {
    const followers = (name: Happening, phase: DeliveryPhase): string => {
      const moves = movesOf(name, phase);
      if (moves === 'refused') return '';
      const reached = deliveryPhases.filter((each) => moves.some(({ step }) => step?.update.next.phase === each));
      return reached.join(', ') || '-';
    };
    const table = happenings.map((name) => [`\`${name}\``, ...deliveryPhases.map((phase) => followers(name, phase))]);
    expect(rowsUnder('What becomes of a message', read('docs/guides/delivery-guarantees.md'))).toEqual(table);
  });
});

describe('the guide of message templates', () => {
  const templates = read('docs/guides/message-templates.md');

  it('the guide of message templates has every key, those of a type by the example of CREATE', () => {
    const ofTypes = new RegExp(`^(email|sms)\\.(${notificationTypes.join('|')})\\.`);
    const keys = templateKeys.filter((key) => !ofTypes.test(key) || key.includes('.CREATE.'));
    const written = rowsUnder('Keys', templates).flatMap(([names]) => namesIn(names));
    expect([...written].sort()).toEqual([...keys].sort());
  });

  it('the guide of message templates has every argument', () => {
    const written = rowsUnder('Arguments', templates).flatMap(([names]) => namesIn(names));
    expect([...written].sort()).toEqual([...argumentKinds('email.join').keys()].sort());
  });
});
