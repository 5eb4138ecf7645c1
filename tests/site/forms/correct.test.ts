// What a correction may be about: found by id or slug, with the page where a reader sees it.
import { afterAll, expect, test } from 'vitest';
import { CORRECTABLE } from '../../../src/domain/correction.ts';
import { LANGS } from '../../../src/domain/lang.ts';
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
const [venue] = listVenues(snapshot);
const [organizer] = listOrganizers(snapshot);

test('it is an event by its slug in either language or its id, a venue or an organizer', () => {
  const found = findCorrectable(state, 'event', 'feria-diaria', 'es');
  if (found.kind === 'failure') throw new Error('none');
  expect(found.path).toBe('/eventos/feria-diaria');
  expect(findCorrectable(state, 'event', found.id, 'en')).toMatchObject({ id: found.id });
  expect(toThingId({ kind: found.kind, thing: found.id })).toBe(found.id);
  for (const [kind, thing] of [
    ['venue', venue],
    ['organizer', organizer],
  ] as const) {
    const { id = '', name: title } = thing ?? {};
    expect(findCorrectable(state, kind, id, 'es')).toMatchObject({ kind, id, title });
    expect(toThingId({ kind, thing: id })).toBe(id);
  }
});

test('it is a notice, in force or still to come', () => {
  const today = toCancunDay(FRIDAY_NOON_MS);
  const paths = findNotices(snapshot, today, today.add({ days: 1 })).map(({ id }) => {
    const found = findCorrectable(state, 'notice', id, 'en');
    return found.kind === 'failure' ? found.failure : found.path;
  });
  expect(paths.sort()).toEqual(['/en/date/2026-11-21', '/en/notices', '/en/notices']);
});

test('it is not what was withdrawn, nor what never was, nor one of another kind', () => {
  expect(findCorrectable(state, 'event', 'evento-retirado', 'es')).toEqual(failure('gone'));
  expect(findCorrectable(state, 'event', venue?.id ?? '', 'es')).toEqual(failure('not_found'));
  for (const kind of CORRECTABLE) {
    expect(findCorrectable(state, kind, 'nada', 'es')).toEqual(failure('not_found'));
    for (const lang of LANGS) {
      const path = toCorrectPath(kind, 'x_1', lang);
      expect(findPage(path)).toMatchObject({ name: 'correct', lang, is_form: true });
      expect(findPage(`${path}/more`)).toBeNull();
    }
  }
});
