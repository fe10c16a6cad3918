import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { html, Markup } from './html.js';

/** Texts made of what means something in markup, and of anything. */
const hostile = fc.oneof(
  fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', '/', '=', '!', '-', ' ', 'a', ';', '#', '`', '\n') }),
  fc.string({ unit: 'binary' }),
);

const references: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** What a browser reads, for the references that `html` writes. */
const read = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => references[name] ?? '');

describe('Markup', () => {
  it('Markup gives every text back as it was, between tags and in attributes, and lets none end them', () => {
    fc.assert(
      fc.property(hostile, hostile, (inside, attribute) => {
        const { text } = html`<p title="${attribute}">${inside}</p>`;
        const [, writtenAttribute = '', writtenInside = ''] =
          /^<p title="([^"<>']*)">([^<>"']*)<\/p>$/.exec(text) ?? [];
        expect([read(writtenAttribute), read(writtenInside)]).toEqual([attribute, inside]);
        expect(text).not.toMatch(/&(?!(?:amp|lt|gt|quot|#39);)/);
      }),
    );
  });

  it('Markup escapes once, however deep it is nested', () => {
    fc.assert(
      fc.property(hostile, (inside) => {
        const once = html`<b>${inside}</b>`;
        const deep = html`<i>${[html`${once}`, undefined]}</i>`;
        expect(deep.text).toBe(`<i>${once.text}</i>`);
      }),
    );
  });

  it.each([
    ['absent', undefined, ''],
    ['false', false, ''],
    ['zero', 0, '0'],
    ['empty', '', ''],
    ['markup', new Markup('<br>'), '<br>'],
    ['nothing of a list', [], ''],
  ] as const)('Markup writes what is %s', (_name, part, written) => {
    expect(html`[${part}]`.text).toBe(`[${written}]`);
  });
});
