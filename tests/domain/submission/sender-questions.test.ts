// Sender questions: doubts about a valid submission, and warnings for the reviewer (contract 14.19).
import { expect, test } from 'vitest';
import {
  listSenderQuestions,
  listReviewWarnings,
} from '../../../src/domain/submission/sender-questions.ts';
import type { FormValues } from '../../../src/domain/submission/form-values.ts';
import {
  expandFurtherDays,
  findFormRestDays,
  NO_REST_DAYS,
  withRestDays,
} from '../../../src/domain/submission/form-dates.ts';
import { FRIDAY_NOON_MS } from '../../fixtures/fixture.ts';
import { SUBMISSION } from '../../fixtures/inbox.ts';

const NIGHT = { end: '2026-12-06T09:00' };
const FREE = { is_free: true, min: null, max: null, note: null };
const CHILDREN = { description: 'Títeres para niñas y niños.' };
test.each<[string, object, object?]>([
  // The end is on the next day, inferred from the hour alone.
  ['night 14', NIGHT],
  ['', { end: '2026-12-06T01:30' }, { end_date: '2026-12-06' }],
  // A long duration, also of a single day.
  ['long 14', NIGHT, { end_date: '2026-12-06' }],
  ['long 14', { start: '2026-12-05T08:00', end: '2026-12-05T22:00' }],
  ['', { start: '2026-12-05T08:00', end: '2026-12-05T20:00' }],
  ['long 14', { hours: [{ date: '2026-12-12', start: '09:00', end: '23:00' }] }],
  // The text mentions children, but the event is not marked for families.
  ['family', CHILDREN],
  // A free event whose text says that visitors pay.
  ['free', { price: FREE, description: 'Trova y boleros. Boletos $250.' }],
  ['', { price: FREE, description: 'Trova y boleros. Consumo mínimo $200.' }],
  ['', { description: 'Trova y boleros. Boletos $250.' }],
  ['', { ...CHILDREN, family: true }],
  ['', { ...CHILDREN, age_restriction: '+18' }],
])('the questions are "%s" for %j %j', (expected, more, values = {}) => {
  const submission = { ...SUBMISSION, start: '2026-12-05T19:00', end: null, ...more };
  const questions = listSenderQuestions(values, submission).map((question) =>
    'hours' in question ? `${question.kind} ${question.hours}` : question.kind,
  );
  expect(questions.join()).toBe(expected);
});

const organizer = { name: null, url: 'https://a.example' };
const withLinks = (source_url: string) => ({ source_url, organizer });
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
  [{ price: { ...FREE, note: 'Cupo limitado' } }, 'price_contradicted', false],
  [{ price: { ...FREE, note: 'Boletos $250' } }, 'price_contradicted', true],
  [withLinks('https://www.a.example/x'), 'links_differ', false],
  [withLinks('https://b.example/x'), 'links_differ', true],
  [{}, 'no_source', true],
  [{}, 'join_link', false],
  [{ registration_url: 'https://us02web.zoom.us/webinar/register/1' }, 'join_link', false],
  [{ ticket_url: 'https://us02web.zoom.us/j/1' }, 'join_link', true],
  [{ description: 'Código de acceso: 123 456' }, 'join_link', true],
  [{ open_end: true }, 'open_end', true],
  [{ venue_name: 'Online', venue_address: null, zone: null }, 'no_zone', false],
  [{ venue_name: 'Patio', venue_address: null, zone: null }, 'no_zone', true],
  [{ title: 'GRAN NOCHE DE PRUEBA' }, 'shouting', true],
])('%j: warning %s is %s', (changed, warning, expected) => {
  const warnings: readonly string[] = listReviewWarnings(
    { ...SUBMISSION, ...changed },
    FRIDAY_NOON_MS,
  );
  expect(warnings.includes(warning)).toBe(expected);
});

const WEEKLY = { start_date: '2026-12-11', repeat: 'weekly', repeat_until: '2027-01-15' };
test.each<[FormValues & { start_date: string }, readonly string[]]>([
  [WEEKLY, ['2026-12-25', '2027-01-01']],
  [{ ...WEEKLY, exceptions: '2026-12-25' }, ['2027-01-01']],
  // A day that the sender lists is her statement.
  [{ ...WEEKLY, dates: '2026-12-25, 2027-01-01' }, []],
  [{ ...WEEKLY, repeat: '', repeat_until: '', dates: '2026-12-25' }, []],
])('of the dates %j, %j are asked about and rest meanwhile', (values, expected) => {
  const submission = withRestDays(
    { ...SUBMISSION, start: '2026-12-11T19:00', end: null, dates: [] },
    findFormRestDays(values, NO_REST_DAYS),
  );
  const asked = listSenderQuestions(values, submission).flatMap((question) =>
    question.kind === 'holidays' ? question.days : [],
  );
  expect(asked).toEqual(expected);
  const listed = values.dates?.split(', ') ?? [];
  const days = expandFurtherDays(listed, values, values.start_date, []);
  expect(days.filter((day) => expected.includes(day))).toEqual([]);
  expect(days).toEqual(expect.arrayContaining(listed));
});
