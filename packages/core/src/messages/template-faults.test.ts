import { describe, expect, it } from 'vitest';
import { builtInCatalogues } from './catalogues.js';
import { templateFaults } from './template-faults.js';

describe('Overrides of texts', () => {
  it('Overrides of texts are without fault when there are none, and when they are the built-in texts', () => {
    expect(templateFaults({})).toEqual([]);
    expect(templateFaults({ ...builtInCatalogues, pt_BR: builtInCatalogues.en })).toEqual([]);
  });

  it.each([
    ['a plural of a number', { 'email.duration': '{minutes, plural, one {# minuto} other {# minutos}}' }],
    ['a choice by what is there', { closing: '{hasTitle, select, yes {For {title}} other {Yours}}' }],
    [
      'numbers in a style',
      { 'email.duration': '{minutes, number, ::.0} {minutes, number, ::compact-short} {minutes, number}' },
    ],
    ['an empty text', { closing: '' }],
    ['something that looks like a tag', { closing: '<b>{name}' }],
    ['the link of a sentence with a link', { 'sms.join': '{link}' }],
  ])('Overrides of texts may have %s', (_case, texts) => {
    expect(templateFaults({ pt: texts })).toEqual([]);
  });

  it.each([
    ['nothing that is an object', [] as never, 'must be an object of locales'],
    ['a tag that is none', { 'not a tag': {} }, 'templates.not a tag: must be a BCP 47 language tag'],
    ['a name of the prototype', JSON.parse('{"__proto__":{}}'), 'templates.__proto__: must be a BCP 47 language tag'],
    ['texts that are none', { pt: 'x' } as never, 'templates.pt: must be an object of texts by key'],
    ['one language twice', { pt_BR: {}, 'pt-br': {} }, 'templates.pt-br: is the same language as pt_BR'],
    [
      'an unknown key',
      { pt: { 'email.CREATED.subject': 'x' } },
      'templates.pt.email.CREATED.subject: there is no such text; did you mean email.CREATE.subject?',
    ],
    ['a key like nothing', { pt: { constructor: 'x' } }, 'templates.pt.constructor: there is no such text'],
    ['a text that is none', { pt: { closing: 1 } } as never, 'templates.pt.closing: must be a string'],
    [
      'a broken message',
      { pt: { closing: 'Olá {name' } },
      'templates.pt.closing: is not an ICU message (EXPECT_ARGUMENT_CLOSING_BRACE)',
    ],
    [
      'a choice without other',
      { pt: { closing: '{hasTitle, select, yes {x}}' } },
      'templates.pt.closing: is not an ICU message (MISSING_OTHER_CLAUSE)',
    ],
    [
      'an unknown argument',
      { pt: { closing: '{titel}' } },
      'templates.pt.closing: has no argument titel; did you mean title?',
    ],
    [
      'an unknown argument within a choice',
      { pt: { closing: '{hasTitle, select, yes {{hasTitle, select, yes {{__proto__}} other {}}} other {}}' } },
      'templates.pt.closing: has no argument __proto__',
    ],
    ['the argument of another text', { pt: { closing: '{link}' } }, 'templates.pt.closing: has no argument link'],
    [
      'a text as a number',
      { pt: { closing: '{title, number}' } },
      'templates.pt.closing: the argument title is a text, not a number',
    ],
    [
      'a text that decides on a plural',
      { pt: { closing: '{title, plural, other {x}}' } },
      'templates.pt.closing: the argument title is a text, not a number',
    ],
    [
      'a number in a unit that there is none of',
      { pt: { closing: '{hasTitle, select, yes {{minutes, number, ::unit/foo}} other {}}' } },
      'templates.pt.closing: the argument minutes has a style that no number can be written in',
    ],
    [
      'a number as money of no currency',
      { pt: { closing: '{minutes, number, currency}' } },
      'templates.pt.closing: the argument minutes has a style that no number can be written in',
    ],
    [
      'a text as a date',
      { pt: { closing: '{date, date, short}' } },
      'templates.pt.closing: the argument date is no date; it is written already',
    ],
  ])('Overrides of texts may not have %s', (_case, overrides, fault) => {
    expect(templateFaults(overrides)).toEqual([fault]);
  });

  it('Overrides of texts are told all faults at once', () => {
    expect(templateFaults({ 'a b': {}, pt: { closing: '{x} {y', greeting: '{a} {b}' } })).toHaveLength(4);
  });
});
