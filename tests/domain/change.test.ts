// Change: status of a submission for its sender, the actions it allows, and references.
import { expect, test } from 'vitest';
import {
  type ChangeState,
  getSubmissionState,
  isReference,
  isStatusRequest,
  listSenderActions,
  type PublicationStatus,
  REFERENCE_PREFIX,
} from '../../src/domain/change.ts';

test.each<[ChangeState, is_published: boolean, string]>([
  ['waiting', false, 'pending'],
  ['waiting', true, 'pending'],
  ['asked', false, 'changes_requested'],
  ['applied', true, 'approved'],
  ['refused', true, 'rejected'],
  ['taken_back', false, 'withdrawn'],
  ['taken_back', true, 'approved'],
  ['replaced', true, 'withdrawn'],
])('a change that is %s (published: %s) is %s for its sender', (state, is_published, expected) => {
  expect(getSubmissionState({ state, is_published })).toBe(expected);
});

test.each<[ChangeState, is_published: boolean, PublicationStatus, string]>([
  ['waiting', false, 'none', 'correct withdraw'],
  ['asked', false, 'none', 'correct withdraw'],
  ['refused', false, 'none', 'correct'],
  ['applied', true, 'published', 'correct cancel postpone'],
  ['applied', true, 'postponed', 'correct cancel'],
  ['applied', true, 'cancelled', 'correct'],
  ['applied', true, 'past', 'correct'],
  ['applied', true, 'gone', 'correct'],
  ['waiting', true, 'published', 'correct withdraw cancel postpone'],
  ['applied', false, 'published', 'correct'],
])(
  'the sender of a %s change (published: %s, %s) can %s',
  (state, is_published, status, actions) => {
    expect(listSenderActions({ state, is_published }, status).join(' ')).toBe(actions);
  },
);

test.each([
  [`${REFERENCE_PREFIX}-7K3M9Q`, true],
  [`${REFERENCE_PREFIX}-7K3M9`, false],
  [`${REFERENCE_PREFIX}-7K3M9QA`, false],
  [`${REFERENCE_PREFIX}-7k3m9q`, false],
  [`X${REFERENCE_PREFIX}-7K3M9Q`, false],
])('%s is a reference: %s', (text, expected) => {
  expect(isReference(text)).toBe(expected);
});

test('only cancelling and postponing are status requests', () => {
  const actions = [
    'publish',
    'edit',
    'cancel',
    'postpone',
    'restore',
    'withdraw',
    'check',
  ] as const;
  expect(actions.filter((asks) => isStatusRequest({ asks }))).toEqual(['cancel', 'postpone']);
});
