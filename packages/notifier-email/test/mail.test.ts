import fc from 'fast-check';
import PostalMime, { type Email } from 'postal-mime';
import type { EmailMessage } from '@calends/core/notifier';
import { describe, expect, it, onTestFinished } from 'vitest';
import { smtpNotifier } from '../src/index.js';
import { type MailServer, startMailServer } from './support/mail-server.js';
import { startScriptedServer } from './support/scripted-server.js';
import { anAttempt, calendarContent, mailWith } from './support/messages.js';

async function aServer() {
  const server = await startMailServer();
  const notifier = smtpNotifier({ url: server.url });
  onTestFinished(() => notifier.close());
  return { server, notifier };
}

/** Sends one mail and reads it as its recipient would. */
async function received(message: EmailMessage): Promise<{ mail: Email; raw: string; server: MailServer }> {
  const { server, notifier } = await aServer();
  expect(await notifier.send(message, anAttempt())).toMatchObject({ status: 'delivered' });
  const raw = server.mails[0]!.raw;
  return { mail: await PostalMime.parse(raw), raw: raw.toString(), server };
}

const header = (mail: Email, key: string): string | undefined => mail.headers.find((each) => each.key === key)?.value;

const usualHeaders = [
  'auto-submitted',
  'content-language',
  'content-type',
  'date',
  'from',
  'message-id',
  'mime-version',
  'subject',
  'to',
  'x-auto-response-suppress',
];

describe('a mail', () => {
  it('a mail arrives with its texts, names and subject', async () => {
    const { mail, server } = await received(mailWith());
    expect(server.mails[0]).toMatchObject({ from: 'termine@practice.example', to: ['zoe@customer.example'] });
    expect(mail).toMatchObject({
      from: { name: 'Práxis am Markt', address: 'termine@practice.example' },
      to: [{ name: 'Zoë Müller', address: 'zoe@customer.example' }],
      subject: 'Ihr Termin am 5. Mai – 9 Uhr',
      text: 'Hallo Zoë,\n\nbis bald.\n.\nEin Punkt allein.\n',
      html: '<p>Hallo Zoë, bis bald.</p>\n',
      attachments: [],
    });
  });

  it('a mail is known by the id of its notification, and says that a machine wrote it', async () => {
    const { mail } = await received(mailWith());
    expect(mail.messageId).toBe('<0198a3c2-7d1e-7c55-9a43-2f6f1e0c9d10@practice.example>');
    expect(header(mail, 'auto-submitted')).toBe('auto-generated');
    expect(header(mail, 'x-auto-response-suppress')).toBe('OOF, AutoReply');
    expect(header(mail, 'content-language')).toBe('de-AT');
    expect(mail.headers.map(({ key }) => key).sort()).toEqual(usualHeaders);
  });

  it('a mail has ASCII alone in its headers', async () => {
    const { raw } = await received(mailWith());
    expect(raw.slice(0, raw.indexOf('\r\n\r\n'))).toMatch(/^[\t\r\n\x20-\x7e]+$/);
  });

  it('a mail has the same Message-ID in every attempt, under the domain that was chosen', async () => {
    const server = await startMailServer();
    const notifier = smtpNotifier({ url: server.url, messageIdDomain: 'Mail.Müller.example' });
    onTestFinished(() => notifier.close());
    const results = [
      await notifier.send(mailWith(), anAttempt()),
      await notifier.send(mailWith({ subject: 'Later' }), { ...anAttempt(), attempt: 2 }),
    ];
    const messageId = '<0198a3c2-7d1e-7c55-9a43-2f6f1e0c9d10@mail.xn--mller-kva.example>';
    expect(results).toMatchObject([{ messageId }, { messageId }]);
    const mails = await Promise.all(server.mails.map(({ raw }) => PostalMime.parse(raw)));
    expect(mails).toMatchObject([{ messageId }, { messageId }]);
  });

  it('a mail goes to a domain that is not ASCII by its ASCII name', async () => {
    const server = await startScriptedServer({});
    const notifier = smtpNotifier({ url: server.url });
    onTestFinished(() => notifier.close());
    await notifier.send(mailWith({ to: { address: 'zoe@müller.example' } }), anAttempt());
    expect(server.commands).toContain('RCPT TO:<zoe@xn--mller-kva.example>');
  });
});

describe('a calendar file', () => {
  const file = { method: 'REQUEST', content: calendarContent } as const;

  it('a calendar file comes as a third alternative and as an attachment', async () => {
    const { mail, raw } = await received(mailWith({ calendar: file }));
    expect(raw).toMatch(/Content-Type: text\/calendar; charset=utf-8; method=REQUEST\r\n/);
    const types = Array.from(raw.matchAll(/^Content-Type: ([^;\r\n]+)/gm), ([, type]) => type);
    expect(types).toEqual([
      'multipart/mixed',
      'multipart/alternative',
      'text/plain',
      'text/html',
      'text/calendar',
      'application/ics',
    ]);
    const parts = mail.attachments.map(({ mimeType, filename, method }) => ({ mimeType, filename, method }));
    expect(parts).toEqual([
      { mimeType: 'text/calendar', filename: null, method: 'REQUEST' },
      { mimeType: 'application/ics', filename: 'invite.ics', method: undefined },
    ]);
    const contents = mail.attachments.map(({ content }) =>
      typeof content === 'string' ? content : Buffer.from(new Uint8Array(content)).toString(),
    );
    expect(contents.map((content) => content.replaceAll(/\r?\n/g, '\r\n').trim())).toEqual([
      calendarContent.trim(),
      calendarContent.trim(),
    ]);
  });

  it('a calendar file of a cancellation says so', async () => {
    const content = calendarContent.replace('METHOD:REQUEST', 'METHOD:CANCEL');
    const { raw } = await received(mailWith({ calendar: { method: 'CANCEL', content } }));
    expect(raw).toMatch(/Content-Type: text\/calendar; charset=utf-8; method=CANCEL\r\n/);
  });

  it.each([
    ['another METHOD', calendarContent.replace('METHOD:REQUEST', 'METHOD:CANCEL')],
    ['no METHOD', calendarContent.replace('METHOD:REQUEST\r\n', '')],
    ['two METHODs', calendarContent.replace('METHOD:REQUEST', 'METHOD:REQUEST\r\nMETHOD:CANCEL')],
    ['a METHOD that goes on in the next line', calendarContent.replace('METHOD:REQUEST', 'METHOD:REQUEST\r\n S')],
    ['METHOD in a text only', calendarContent.replace('METHOD:REQUEST', 'X-A:METHOD:REQUEST')],
  ])('a calendar file with %s is refused before anything is sent', async (_name, content) => {
    const { server, notifier } = await aServer();
    expect(await notifier.send(mailWith({ calendar: { method: 'REQUEST', content } }), anAttempt())).toEqual({
      status: 'failed',
      permanent: true,
      error: "calendar: the file's METHOD is not REQUEST",
    });
    expect(server.connections).toBe(0);
  });
});

describe('hostile values', () => {
  it.each<readonly [string, Partial<EmailMessage>, string]>([
    ['two recipients', { to: { address: 'zoe@customer.example, eve@evil.example' } }, 'to'],
    ['a header behind the recipient', { to: { address: 'zoe@customer.example\r\nBcc: eve@evil.example' } }, 'to'],
    ['an SMTP command', { to: { address: 'zoe@customer.example>\r\nRCPT TO:<eve@evil.example' } }, 'to'],
    ['an SMTP parameter', { to: { address: 'zoe@customer.example> NOTIFY=NEVER' } }, 'to'],
    ['a group', { to: { address: 'all:zoe@customer.example;' } }, 'to'],
    ['a quoted local part', { to: { address: '"eve@evil.example, x"@customer.example' } }, 'to'],
    ['two at signs', { to: { address: 'zoe@evil.example@customer.example' } }, 'to'],
    ['no address', { to: { address: '' } }, 'to'],
    ['an address without an end', { to: { address: `${'a'.repeat(100_000)}@customer.example` } }, 'to'],
    ['two senders', { from: 'A <a@a.example>, B <b@b.example>' }, 'from'],
    ['a header behind the sender', { from: 'A <a@a.example>\r\nBcc: <eve@evil.example>' }, 'from'],
    ['a header in the sender', { from: 'A\r\nBcc: eve@evil.example\r\nX: <a@a.example>' }, 'from'],
    ['a sender that is no address', { from: 'A' }, 'from'],
    ['a header in the id', { notificationId: 'a>\r\nBcc: eve@evil.example' }, 'notificationId'],
    ['a path as the id', { notificationId: '../../etc/passwd' }, 'notificationId'],
  ])('%s: refused for good, and nothing is sent', async (_name, change, field) => {
    const { server, notifier } = await aServer();
    const result = await notifier.send(mailWith(change), anAttempt());
    expect(result).toMatchObject({ status: 'failed', permanent: true });
    expect(result).toHaveProperty('error', expect.stringMatching(new RegExp(`^${field}: is not [a-z -]+$`)));
    expect(server.connections).toBe(0);
  });

  it.each<readonly [string, string]>([
    ['a header', 'Zoë\r\nBcc: eve@evil.example'],
    ['a bare carriage return', 'Zoë\rBcc: eve@evil.example'],
    ['a line separator', 'Zoë\u2028Bcc: eve@evil.example'],
    ['another address', 'Zoë <eve@evil.example>, "x'],
    ['a quote and a backslash', 'Zoë \\" <eve@evil.example>'],
    ['a comment', 'Zoë (eve@evil.example)'],
    ['a group', 'all: eve@evil.example;'],
    ['an encoded word', '=?utf-8?Q?=0D=0ABcc:_eve@evil.example?='],
    ['a null', 'Zo\0ë'],
  ])('a name with %s stays a name', async (_name, name) => {
    const { mail, server } = await received(mailWith({ to: { name, address: 'zoe@customer.example' } }));
    expect(server.mails[0]?.to).toEqual(['zoe@customer.example']);
    expect(mail.to).toHaveLength(1);
    expect(mail.to?.[0]?.address).toBe('zoe@customer.example');
    expect(mail.headers.map(({ key }) => key).sort()).toEqual(usualHeaders);
  });

  it('an encoded word in a name or subject is shown as it is written, and not decoded', async () => {
    const word = '=?utf-8?B?aHR0cHM6Ly9ldmlsLmV4YW1wbGU=?=';
    const shown = '= ?utf-8?B?aHR0cHM6Ly9ldmlsLmV4YW1wbGU= ?=';
    const to = { name: `Ann ${word}`, address: 'zoe@customer.example' };
    const { mail } = await received(mailWith({ to, subject: `News ${word}` }));
    expect(mail).toMatchObject({ to: [{ name: `Ann ${shown}` }], subject: `News ${shown}` });
  });

  it('a locale that is no language tag is left out', async () => {
    const { mail } = await received(mailWith({ locale: 'de\r\nBcc: eve@evil.example' }));
    expect(mail.headers.map(({ key }) => key).sort()).toEqual(usualHeaders.filter((key) => key !== 'content-language'));
  });

  it('no text escapes from name, subject, locale or body into headers or recipients', async () => {
    const { server, notifier } = await aServer();
    const pieces = fc.constantFrom(
      '\r',
      '\n',
      '\r\n',
      '.',
      '.\r\n',
      ' ',
      '\t',
      '"',
      '<',
      '>',
      ',',
      ';',
      ':',
      '\\',
      '(',
      '@',
    );
    const text = fc
      .array(
        fc.oneof(pieces, fc.string({ unit: 'binary' }), fc.constantFrom('Bcc: eve@evil.example', '=?utf-8?Q?', '?=')),
      )
      .map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(text, text, text, text, async (name, subject, locale, body) => {
        const message = mailWith({ to: { name, address: 'zoe@customer.example' }, subject, locale, text: body });
        expect(await notifier.send(message, anAttempt())).toMatchObject({ status: 'delivered' });
        const { to, raw } = server.mails.at(-1)!;
        const mail = await PostalMime.parse(raw);
        expect(to).toEqual(['zoe@customer.example']);
        expect(mail.to?.map(({ address }) => address)).toEqual(['zoe@customer.example']);
        // An empty text leaves one part, and its encoding in the headers of the whole.
        const allowed = [...usualHeaders, 'content-transfer-encoding'];
        expect(mail.headers.map(({ key }) => key).filter((key) => !allowed.includes(key))).toEqual([]);
      }),
      { numRuns: 100 },
    );
    expect(server.connections).toBeLessThanOrEqual(3);
  });

  it('a text that names a file or an address is only a text', async () => {
    const { mail } = await received(mailWith({ text: 'file:///etc/passwd', html: 'http://127.0.0.1/' }));
    expect(mail).toMatchObject({ text: 'file:///etc/passwd\n', html: 'http://127.0.0.1/\n' });
  });
});
