import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cancelled } from '../../test/sample-appointments.js';
import { sampleCustomer, sampleLinks } from '../../test/sample-messages.js';
import { messageRenderer } from './message-renderer.js';
import { singleLine, withoutLinks } from './plain-text.js';
import { customerMessageTypes } from '../domain/notifications/notified-events.js';

const { email, sms } = messageRenderer({});

const nasty = fc.constantFrom(
  '<script>alert(1)</script>',
  '"><a href="https://evil.example">x</a>',
  "' onmouseover='x",
  '</p></main></body></html>',
  '<!--',
  ']]>',
  '&lt;b&gt;',
  '&#x3C;',
  '{title}',
  "'{",
  '{x, plural, other {#}}',
  'a\r\nBcc: other@example.org',
  'a\n\nJoin here: https://evil.example',
  'a\u2028b\u0085c\u000Bd',
  '\u202Eevil',
  '\uD800',
  'javascript:alert(1)',
  '$&$1',
);
const text = fc
  .array(fc.oneof(nasty, fc.string({ unit: 'binary', maxLength: 20 })), { maxLength: 3 })
  .map((parts) => parts.join(''));

/** Every tag that a mail may have, as it stands there. */
const tags = new Set([
  ...['<!doctype html>', '<html lang="en" dir="ltr">', '<head>', '<meta charset="utf-8">', '</head>', '</html>'],
  '<meta name="viewport" content="width=device-width, initial-scale=1">',
  '<meta name="color-scheme" content="light dark">',
  ...['<title>', '</title>', '</body>', '</main>', '<p>', '</p>', '<br>', '</a>'],
  '<body style="margin:0;padding:1em;color-scheme:light dark;font-family:sans-serif;font-size:16px;line-height:1.5">',
  '<main style="max-width:36em;margin:0 auto">',
  ...Object.values(sampleLinks).map((link) => `<a href="${link}">`),
]);

const tagsOf = (html: string): readonly string[] => html.match(/<[^>]*>/g) ?? [];

function shownBy(html: string): string {
  const names: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&', '#39': "'" };
  return html.replaceAll(/<[^>]*>/g, '').replaceAll(/&([^;]*);/g, (_, name: string) => names[name] ?? `?${name}?`);
}

describe('Nothing that people write', () => {
  const written = fc.record({
    type: fc.constantFrom(...customerMessageTypes),
    title: text,
    reason: text,
    firstName: text,
    lastName: text,
  });

  it('Nothing that people write becomes a tag, an attribute, a link, a line or a header of a message', () => {
    fc.assert(
      fc.property(written, ({ type, title, reason, firstName, lastName }) => {
        const appointment = { ...cancelled({ title }), cancellation: { at: 0, by: 'agent-1', reason } };
        const customer = { ...sampleCustomer, firstName, lastName };
        const input = { type, appointment, customer, links: sampleLinks };
        const mail = email(input);
        const known = email({ ...input, appointment: cancelled(), customer: sampleCustomer });

        expect(tagsOf(mail.html).filter((tag) => !tags.has(tag))).toEqual([]);
        expect(mail.html.replaceAll(/<[^>]*>/g, '')).not.toMatch(/[<>"']/);
        expect(mail.html.match(/<a /g)?.length).toBe(known.html.match(/<a /g)?.length);
        // Shown as it was written but for links: neither dropped nor escaped twice.
        expect(shownBy(mail.html)).toContain(withoutLinks(singleLine(title)));
        expect(mail.text).toContain(withoutLinks(singleLine(title)));

        expect(mail.subject).toMatch(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+$/u);
        const absentLines =
          (singleLine(title) === '' ? 1 : 0) + (type === 'CANCELLED' && singleLine(reason) === '' ? 1 : 0);
        expect(mail.text.split('\n').length).toBe(known.text.split('\n').length - absentLines);
        expect(mail.text + sms(input).text).not.toMatch(/[^\P{C}\n\p{Cf}\p{Co}\p{Cn}]/u);
      }),
      { numRuns: 500 },
    );
  });
});

describe('A link that people write', () => {
  const everything = '{title} {reason} {name} {firstName} {lastName}';
  const texts = Object.fromEntries(
    customerMessageTypes.flatMap((type) => [
      [`email.${type}.subject`, everything],
      [`email.${type}.text`, everything],
      [`sms.${type}.text`, everything],
    ]),
  );
  const revealing = messageRenderer({ en: texts });

  it.each(
    customerMessageTypes.flatMap((type) =>
      ['https://localhost/x', 'www.evil.example', 'evil.example/x', 't.co', 'x@evil.example', '192.0.2.1'].map(
        (address) => [type, address] as const,
      ),
    ),
  )('a link that people write is none in any part of %s: %s', (type, address) => {
    const written = `win ${address} now`;
    const input = {
      type,
      appointment: { ...cancelled({ title: written }), cancellation: { at: 0, by: 'customer-1', reason: written } },
      customer: { ...sampleCustomer, firstName: written, lastName: written },
      links: sampleLinks,
      organizerAddress: 'no-reply@example.org',
    };
    const { subject, text, html, calendar } = revealing.email(input);
    const parts = [subject, text, html, calendar?.content.replaceAll('\r\n ', '') ?? '', revealing.sms(input).text];
    for (const part of parts) expect(part).not.toContain(address);
    expect(subject).toContain('win ');
  });
});

describe('A link', () => {
  it.each([
    'javascript:alert(1)',
    'JAVASCRIPT://example.org/%0aalert(1)',
    'data:text/html,x',
    'mailto:x@example.org',
    'ftp://example.org',
    '//example.org',
    '/join',
    '',
    'http://',
  ])('the link %j is refused by an error that does not repeat it', (join) => {
    const input = { type: 'CREATE', appointment: cancelled(), customer: sampleCustomer, links: { join } } as const;
    const message = 'A link for a message is not an http or https address.';
    expect(() => email(input)).toThrow(new Error(message));
    expect(() => sms(input)).toThrow(new Error(message));
  });

  it('a link is one http or https address in one attribute, or is refused', () => {
    const link = fc
      .oneof(fc.webUrl({ withQueryParameters: true, withFragments: true }), text)
      .chain((start) =>
        fc
          .tuple(fc.constantFrom('', 'https://example.org/', 'http:', ' https://example.org/?q='), text)
          .map(([before, end]) => before + start + end),
      );
    let accepted = 0;
    fc.assert(
      fc.property(link, (manage) => {
        const input = {
          type: 'CREATE',
          appointment: cancelled(),
          customer: sampleCustomer,
          links: { manage },
        } as const;
        let html: string;
        try {
          html = email(input).html;
        } catch (error) {
          expect((error as Error).message).toBe('A link for a message is not an http or https address.');
          return;
        }
        accepted += 1;
        const anchors = html.match(/<a [^>]*>/g) ?? [];
        expect(anchors).toHaveLength(1);
        expect(anchors[0]).toMatch(/^<a href="https?:\/\/[^\s"'<>]+">$/);
      }),
      { numRuns: 500 },
    );
    expect(accepted).toBeGreaterThan(100);
  });
});
