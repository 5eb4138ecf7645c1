// What its sender is asked of a form that is right, and what a reviewer is warned of (contract 14.19).
import { expect, test } from 'vitest';
import {
  listSenderQuestions,
  listReviewWarnings,
} from '../../../src/domain/submission/sender-questions.ts';
import { FRIDAY_NOON_MS } from '../../fixtures/fixture.ts';
import { SUBMISSION } from '../../fixtures/inbox.ts';

const NIGHT = { end: '2026-12-06T09:00' };
const CHILDREN = { description: 'Títeres para niñas y niños.' };
test.each<[string, object, object?]>([
  // Whether it ends on the next day, where only the hour says so.
  ['night 14', NIGHT],
  ['', { end: '2026-12-06T01:30' }, { end_date: '2026-12-06' }],
  // Whether it lasts so long, of a single day too.
  ['long 14', NIGHT, { end_date: '2026-12-06' }],
  ['long 14', { start: '2026-12-05T08:00', end: '2026-12-05T22:00' }],
  ['', { start: '2026-12-05T08:00', end: '2026-12-05T20:00' }],
  ['long 14', { hours: [{ date: '2026-12-12', start: '09:00', end: '23:00' }] }],
  // Whether it is for families, where its text speaks of children and nothing says so.
  ['family', CHILDREN],
  ['', { ...CHILDREN, family: true }],
  ['', { ...CHILDREN, age_restriction: '+18' }],
])('a sender is asked: %s, of %j %j', (asked, more, values = {}) => {
  const sent = { ...SUBMISSION, start: '2026-12-05T19:00', end: null, ...more };
  const doubts = listSenderQuestions(values, sent).map((one) =>
    'hours' in one ? `${one.kind} ${one.hours}` : one.kind,
  );
  expect(doubts.join()).toBe(asked);
});

const organizer = { name: null, url: 'https://a.example' };
const toLinks = (source_url: string) => ({ source_url, organizer });
test.each<[Partial<typeof SUBMISSION>, string, boolean]>([
  [{ start: '2026-11-19T20:00', end: null, dates: [] }, 'past', true],
  [{ start: '2026-11-19T20:00', end: null, dates: ['2026-11-20'] }, 'past', false],
  [{ start: '2026-11-21T20:00' }, 'soon', true],
  [{ start: '2026-11-22T20:00' }, 'soon', false],
  [{ start: '2027-11-21T20:00' }, 'far', true],
  [{ start: '2027-11-20T20:00' }, 'far', false],
  [{}, 'unknown_venue', true],
  [{ venue: 've_1' }, 'unknown_venue', false],
  [{ price: { is_free: false, min: 20_000, max: null, note: null } }, 'price_high', false],
  [{ price: { is_free: false, min: 20_001, max: null, note: null } }, 'price_high', true],
  [{ price: { is_free: false, min: 0, max: null, note: null } }, 'price_zero', true],
  [toLinks('https://www.a.example/x'), 'links_differ', false],
  [toLinks('https://b.example/x'), 'links_differ', true],
  [{}, 'no_source', true],
  [{ open_end: true }, 'open_end', true],
  [{ venue_name: 'Online', venue_address: null, zone: null }, 'no_zone', false],
  [{ venue_name: 'Patio', venue_address: null, zone: null }, 'no_zone', true],
  [{ title: 'GRAN NOCHE DE PRUEBA' }, 'shouting', true],
])('a reviewer is warned: %j: %s %s', (changed, warning, expected) => {
  const found: readonly string[] = listReviewWarnings(
    { ...SUBMISSION, ...changed },
    FRIDAY_NOON_MS,
  );
  expect(found.includes(warning)).toBe(expected);
});
