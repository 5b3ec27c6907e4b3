/** Forms of text that several types of records share, and what a body is told that has another one. */
import { Type } from 'typebox';

/** Letters, numbers, `-` and `_` (§2.2). */
export const plainName = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,90}$',
  'x-rule': 'may only contain letters, numbers, - and _, and at most 90 of them',
});

/** Anything that prints, without space around it. */
export const printableName = Type.String({
  pattern: '^(?!\\s)[^\\p{Cc}]{1,255}(?<!\\s)$',
  'x-rule': 'must be printable, without space around it, and have 1 to 255 characters',
});

/** §8: a number greater than 0 with at most four digits, and its unit. */
export const duration = Type.String({
  pattern: '^[1-9][0-9]{0,3}[dh]$',
  'x-rule': "has an incorrect format, we expect up to 4 numeric digits and 1 unit ('d' or 'h')",
});
