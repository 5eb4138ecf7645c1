// What its sender is asked of a form that is right, and what a reviewer is warned of (contract 14.19).
import { describe, expect, test } from 'vitest';
import { listDoubts, listWarnings } from '../../../src/domain/submission/doubts.ts';
import { FRIDAY_NOON_MS } from '../../fixtures/fixture.ts';
import { SUBMISSION } from '../../fixtures/inbox.ts';

describe('a sender is asked', () => {
  const doubt = (more: object, values: object = {}) =>
    listDoubts(values, { ...SUBMISSION, start: '2026-12-05T19:00', end: null, ...more }).map(
      (one) => ('hours' in one ? `${one.kind} ${one.hours}` : one.kind),
    );
  test('whether it ends on the next day, where only the hour says so', () => {
    const night = { end: '2026-12-06T09:00' };
    expect(doubt(night)).toEqual(['night 14']);
    expect(doubt({ end: '2026-12-06T01:30' })).toEqual(['night 6.5']);
    expect(doubt({ end: '2026-12-06T01:30' }, { end_date: '2026-12-06' })).toEqual([]);
    expect(doubt(night, { end_date: '2026-12-06' })).toEqual(['long 14']);
  });
  test('whether it lasts so long, of a single day too', () => {
    expect(doubt({ start: '2026-12-05T08:00', end: '2026-12-05T22:00' })).toEqual(['long 14']);
    expect(doubt({ start: '2026-12-05T08:00', end: '2026-12-05T20:00' })).toEqual([]);
    expect(doubt({ hours: [{ date: '2026-12-12', start: '09:00', end: '23:00' }] })).toEqual([
      'long 14',
    ]);
  });
  test('whether it is for families, where its text speaks of children and nothing says so', () => {
    const text = { description: 'Títeres para niñas y niños.' };
    expect(doubt(text)).toEqual(['family']);
    for (const said of [{ family: true }, { category: 'family' }, { age_restriction: '+18' }])
      expect(doubt({ ...text, ...said }), JSON.stringify(said)).toEqual([]);
    expect(doubt({ description: 'Sin menciones.' })).toEqual([]);
  });
});

describe('warnings', () => {
  const listOf = (changed: Partial<typeof SUBMISSION>) =>
    listWarnings({ ...SUBMISSION, ...changed }, FRIDAY_NOON_MS);
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
    [
      {
        source_url: 'https://www.a.example/x',
        organizer: { name: null, url: 'https://a.example' },
      },
      'links_differ',
      false,
    ],
    [
      { source_url: 'https://b.example/x', organizer: { name: null, url: 'https://a.example' } },
      'links_differ',
      true,
    ],
    [{}, 'no_source', true],
    [{ repeats: 'Cada sábado' }, 'says_repeats', true],
    [{ open_end: true }, 'open_end', true],
    [{}, 'open_end', false],
    [{ venue_name: 'Online', venue_address: null, zone: null }, 'unknown_venue', false],
    [{ venue_name: 'Online', venue_address: null, zone: null }, 'no_zone', false],
    [{ venue_name: 'Patio', venue_address: null, zone: null }, 'no_zone', true],
    [{ title: 'GRAN NOCHE DE PRUEBA' }, 'shouting', true],
  ])('%j: %s %s', (changed, warning, expected) =>
    expect([...listOf(changed)].some((found) => found === warning)).toBe(expected),
  );
});
