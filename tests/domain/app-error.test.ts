// Application error: recognized by name, and created from reasons.
import { expect, test } from 'vitest';
import { AppError, refusal } from '../../src/domain/app-error.ts';

test('an error of another copy of the module is an AppError, other errors are not', () => {
  const other_copy = Object.assign(new Error('x'), { name: 'AppError' });
  expect(other_copy).toBeInstanceOf(AppError);
  expect(new Error('x')).not.toBeInstanceOf(AppError);
  expect({ name: 'AppError' }).not.toBeInstanceOf(AppError);
});

test.each([
  ['no_such_submission', 'not_found', /^reference: /],
  ['wrong_code', 'invalid_parameter', /^code: /],
  ['too_many_changes', 'invalid_parameter', /^too many changes$/],
] as const)('the refusal %s has the code %s and a message', (reason, code, message) => {
  const error = refusal(reason);
  expect([error.reason, error.code]).toEqual([reason, code]);
  expect(error.message).toMatch(message);
  expect(refusal(reason, 'other: text').message).toBe('other: text');
});
