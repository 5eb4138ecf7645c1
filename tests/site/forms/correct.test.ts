// What a correction may be about: found by id or slug, with the page where a reader sees it and the
// screen where the desk can change it.
import { afterAll, describe, expect, test } from 'vitest';
import { CORRECTABLE } from '../../../src/domain/correction.ts';
import { byLang } from '../../../src/domain/lang.ts';
import { toCorrectPath } from '../../../src/i18n/paths.ts';
import { findCorrectable, toThingId } from '../../../src/site/forms/correct.ts';
import { findPage } from '../../../src/site/registry.ts';
import { findNotices } from '../../../src/snapshot/agenda.ts';
import { listOrganizers, listVenues } from '../../../src/snapshot/list-things.ts';
import { toCancunDay } from '../../../src/domain/cancun-time.ts';
import { FRIDAY_NOON_MS, openFixture } from '../../fixtures/fixture.ts';
import { SITE } from '../../fixtures/site.ts';

const { snapshot, close } = openFixture();
afterAll(close);
const state = { snapshot, now_ms: FRIDAY_NOON_MS, site: SITE };
const failure = (kind: string) => ({ kind: 'failure', failure: kind });

describe('a thing', () => {
  test('is an event, by its slug in either language or its id', () => {
    const found = findCorrectable(state, 'event', 'feria-diaria', 'es');
    if (found.kind === 'failure') throw new Error('none');
    expect(found.path).toBe('/eventos/feria-diaria');
    expect(findCorrectable(state, 'event', found.id, 'es')).toEqual(found);
    expect(findCorrectable(state, 'event', found.id, 'en')).toMatchObject({ id: found.id });
    expect(toThingId({ kind: found.kind, thing: found.id })).toBe(found.id);
  });
  test('is a venue or an organizer, which the desk edits', () => {
    const [venue] = listVenues(snapshot);
    const [organizer] = listOrganizers(snapshot);
    for (const [kind, thing] of [
      ['venue', venue],
      ['organizer', organizer],
    ] as const) {
      const found = findCorrectable(state, kind, thing?.id ?? '', 'es');
      expect(found).toMatchObject({ kind, id: thing?.id, title: thing?.name });
      expect(toThingId({ kind, thing: thing?.id ?? '' })).toBe(thing?.id);
    }
  });
  test('is a notice, in force or still to come', () => {
    const tomorrow = toCancunDay(FRIDAY_NOON_MS).add({ days: 1 });
    const ids = findNotices(snapshot, toCancunDay(FRIDAY_NOON_MS), tomorrow).map(({ id }) => id);
    const paths = ids.map((id) => {
      const found = findCorrectable(state, 'notice', id, 'en');
      return found.kind === 'failure' ? found.failure : found.path;
    });
    expect(paths.sort()).toEqual(['/en/date/2026-11-21', '/en/notices', '/en/notices']);
  });
  test('is not what was withdrawn, nor what never was, nor one of another kind', () => {
    const [venue] = listVenues(snapshot);
    expect(findCorrectable(state, 'event', 'evento-retirado', 'es')).toEqual(failure('gone'));
    expect(findCorrectable(state, 'event', venue?.id ?? '', 'es')).toEqual(failure('not_found'));
    for (const kind of CORRECTABLE)
      expect(findCorrectable(state, kind, 'nada', 'es')).toEqual(failure('not_found'));
  });
});

test('every form has one address in each language, and nothing stands behind it', () => {
  for (const about of CORRECTABLE) {
    const paths = byLang((lang) => toCorrectPath(about, 'x_1', lang));
    expect(findPage(paths.es)).toMatchObject({ name: 'correct', lang: 'es', is_form: true });
    expect(findPage(paths.en)).toMatchObject({ name: 'correct', lang: 'en', is_form: true });
    expect(findPage(`${paths.es}/more`)).toBeNull();
    expect(findPage(toCorrectPath(about, '', 'es'))).toBeNull();
  }
});
