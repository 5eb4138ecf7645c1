// Twins: the same day, the same place, a like title; and what a reviewer is warned of.
import { describe, expect, test } from 'vitest';
import {
  compareTitles,
  isLikelyDuplicate,
  type Likeable,
} from '../../../src/domain/submission/likeness.ts';
import { listWarnings } from '../../../src/domain/submission/warnings.ts';
import { SUBMISSION } from '../../fixtures/inbox.ts';
import { FRIDAY_NOON_MS } from '../../fixtures/fixture.ts';

describe('titles', () => {
  test.each([
    ['Noche de Jazz', 'NOCHE DE JAZZ', 1],
    ['Carnaval de Cancún 2026', 'Carnaval Cancún', 1],
    ['Noche de jazz', 'Obra de teatro', 0],
    ['', 'Noche', 0],
    ['de la', 'de la', 0],
  ])('%s · %s', (a, b, likeness) => expect(compareTitles(a, b)).toBe(likeness));
  test('a longer name of the same thing is nearer than a chance word', () => {
    expect(compareTitles('Festival de Jazz de la Riviera', 'Festival de Jazz')).toBeGreaterThan(
      0.6,
    );
    expect(compareTitles('Festival de Jazz', 'Festival del Mole')).toBeLessThan(0.6);
  });
});

describe('twins', () => {
  const jazz: Likeable = {
    titles: ['Noche de jazz con Ana'],
    days: ['2026-12-05'],
    venue: 've_1',
    venue_name: 'Teatro',
  };
  test.each<[Partial<Likeable>, boolean]>([
    [{}, true],
    [{ days: ['2026-12-06'] }, false],
    [{ days: ['2026-12-04', '2026-12-05'] }, true],
    [{ titles: ['Jazz en el teatro', 'Jazz night'] }, true],
    [{ titles: ['Jazz en el parque'], venue: 've_2' }, false],
    [{ venue: 've_2' }, true],
    [{ venue: null, venue_name: 'TEATRO', titles: ['Jazz'] }, true],
    [{ titles: ['Obra infantil'] }, false],
  ])('%j', (changed, expected) =>
    expect(isLikelyDuplicate(jazz, { ...jazz, ...changed })).toBe(expected),
  );
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
