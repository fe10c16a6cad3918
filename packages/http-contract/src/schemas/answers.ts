import * as z from 'zod';
import { sortOrders } from '@calends/model';
import { response, responseObject } from '../wire-documentation.js';

/*
 * Fields that several answers share. Answers are typed and documented by their schemas and checked in tests, not at run
 * time. A field that can have no value is there as `null` unless its description says that it is absent.
 */

export const text = (description: string) => response(z.string(), description);

export const textOrNull = (description: string) => response(z.string().nullable(), description);

export const optionalText = (description: string) => text(description).optional();

export const instant = (description: string) => response(z.iso.datetime(), description);

export const instantOrNull = (description: string) => response(z.iso.datetime().nullable(), description);

export const optionalInstant = (description: string) => instant(description).optional();

export const flag = (description: string) => response(z.boolean(), description);

export const integer = (description: string) => response(z.int().nonnegative(), { description, format: 'int64' });

export const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words, description: string) =>
  response(z.enum(words), description);

export const textMap = (description: string) => response(z.record(z.string(), z.string()), description);

/** The paged envelope (spec: Paged envelope; D30, D31). */
export function pageOf<Item extends z.ZodType>(id: string, item: Item, description: string) {
  return responseObject(id, description, {
    content: z.array(item),
    pageCount: integer('Number of pages.'),
    pageNumber: integer('This page, from 1.'),
    pageSize: integer('Entries per page.'),
    sortField: text('Field that was sorted by.'),
    sortOrder: oneOf(sortOrders, 'Direction of the sort.'),
    total: integer('Entities that match, over all pages.'),
  });
}
