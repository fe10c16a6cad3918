import { StoreError } from '@calends/core/store';
import { describe, expect, it } from 'vitest';
import { faultFields } from './fault-fields.js';

describe('what is logged of a fault', () => {
  it('what is logged of a fault has no text of a driver: that holds SQL and values', () => {
    const driver = Object.assign(new Error("insert into customers values ('ada@example.org')"), { code: '23505' });
    const fields = faultFields(new StoreError('unexpected', 'The commit failed.', { cause: driver }));
    expect(fields).toMatchObject({
      name: 'StoreError',
      code: 'unexpected',
      message: 'The commit failed.',
      cause: { name: 'Error', code: '23505' },
    });
    expect(JSON.stringify(fields)).not.toContain('ada@example.org');
    expect(JSON.stringify(faultFields(driver))).not.toContain('ada@example.org');
  });

  it('what is logged of a fault says where it happened', () => {
    expect(faultFields(new Error('x')).at).toMatch(/^at .*fault-fields\.test\.ts/);
  });

  it('what is logged of a fault of something that is no error is its type', () => {
    expect(faultFields('ada@example.org')).toEqual({ name: 'string' });
  });
});
