import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hours } from '@calends/model';
import { readLinkCode, writeLinkCode } from '../../src/operations/proofs/manage-link/link-code.js';
import { CalendsError } from '../../src/index.js';
import { errorOf } from '../error-of.js';
import { booked, customerOf } from '../fixtures.js';
import { alteredTokens } from './hostile-tokens.js';
import { manageFixture } from './manage-fixture.js';
import { endings } from './replays.js';

describe('The code of a manage link', () => {
  const id = fc.uuid().map((text) => text.toLowerCase());
  const ticketId = fc
    .uint8Array({ minLength: 16, maxLength: 16 })
    .map((bytes) => Buffer.from(bytes).toString('base64url'));
  const organizationId = fc.oneof(fc.constant('default'), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }));
  const codes = fc.record({ organizationId, appointmentId: id, participantId: id, ticketId });

  it('the code of a manage link says whose it is, whoever that is', () => {
    fc.assert(
      fc.property(codes, (said) => {
        expect(readLinkCode(writeLinkCode(said))).toEqual(said);
      }),
    );
  });

  it('the code of a manage link has one spelling', () => {
    fc.assert(
      fc.property(codes, fc.nat(), fc.constantFrom('A', '-', '_', '=', '.', ' ', '%', '\u00E9'), (said, at, letter) => {
        const code = writeLinkCode(said);
        const index = at % code.length;
        const altered = `${code.slice(0, index)}${letter}${code.slice(index + 1)}`;
        const read = readLinkCode(altered);
        expect(read === undefined || writeLinkCode(read) === altered).toBe(true);
      }),
    );
  });

  it('the code of a manage link that is hostile is stale, whatever it is', async () => {
    const base = await manageFixture();
    const { code, ticketId } = await base.issue();
    const other = await booked(base);
    const said = readLinkCode(code)!;
    const hostile = [
      ...[
        '',
        ' ',
        '#',
        code.slice(1),
        code.slice(0, -1),
        `${code}A`,
        `${code}=`,
        ` ${code}`,
        `${code}\n`,
        code.slice(0, 66),
      ],
      ...[
        code.toUpperCase(),
        `#${code}`,
        encodeURIComponent(`#${code}`),
        'a'.repeat(100_000),
        '\u0000',
        code.replace('.', '..'),
      ],
      ...['null', '__proto__', '../../etc/passwd', "' OR 1=1 --", ticketId],
      writeLinkCode({ ...said, organizationId: 'org-2' }),
      writeLinkCode({ ...said, organizationId: 'default' }),
      writeLinkCode({ ...said, appointmentId: other.id }),
      writeLinkCode({ ...said, appointmentId: other.id, participantId: customerOf(other) }),
      writeLinkCode({ ...said, participantId: base.elenisId }),
      writeLinkCode({ ...said, ticketId: 'A'.repeat(22) }),
      ...alteredTokens(code.slice(0, 66)).map((altered) => `${altered}${code.slice(66)}`),
    ];
    expect(hostile.length).toBeGreaterThan(400);
    for (const each of hostile) {
      const error: unknown = await base.customers.exchangeManageLink(each).catch((thrown: unknown) => thrown);
      expect(CalendsError.is(error) && `${error.code} ${error.message}`).toBe(
        'stale_ticket The manage link does not open this, or is not valid any more.',
      );
    }
    base.clock.advance(hours(1));
    expect((await base.customers.exchangeManageLink(code)).appointmentId).toBe(base.made.id);
  });

  it.each(endings)('the code of a manage link is stale %s', async (_what, replay) => {
    const base = await manageFixture();
    const link = await base.issue();
    await replay(base, link);
    expect((await errorOf(() => base.customers.exchangeManageLink(link.code))).code).toBe('stale_ticket');
  });
});
