// A query read leniently: what is understood, in one spelling, and what was left out.
import { describe, expect, test } from 'vitest';
import { readLeniently } from '../../../src/domain/filters/lenient-query.ts';
import { toQueryTexts } from '../../../src/domain/filters/query-texts.ts';
import { FRIDAY_NOON_MS, readTown } from '../../fixtures/fixture.ts';

const town = readTown();
const read = (query: string, lang: 'es' | 'en' = 'es') => {
  const params = Object.fromEntries(new URLSearchParams(query));
  const { filter, texts, left_out } = readLeniently(params, town, FRIDAY_NOON_MS);
  return {
    spelled: new URLSearchParams(toQueryTexts(filter, texts, town.taxonomy, lang)).toString(),
    left_out: left_out.map(({ name, value }) => `${name}=${value}`),
  };
};

describe('a query that is understood', () => {
  test.each([
    ['', 'es', ''],
    ['zone=Isla-Mujeres&free=true', 'es', 'zone=isla-mujeres&free=1'],
    ['category=live-music', 'es', 'category=musica-en-vivo'],
    ['category=musica-en-vivo', 'en', 'category=live-music'],
    ['free=0&family=false', 'es', ''],
    ['q=+jazz++noche+', 'es', 'q=jazz+noche'],
    ['near=21.1,-86.8&radius_km=5', 'es', 'near=21.1%2C-86.8'],
    ['near=21.1,-86.8&radius_km=3', 'es', 'near=21.1%2C-86.8&radius_km=3'],
    ['radius_km=3', 'es', ''],
    ['limit=50', 'es', ''],
    ['venue=malecon-inventado&price_max=50', 'es', 'price_max=50&venue=malecon-inventado'],
    ['limit=20&date=weekend', 'es', 'date=weekend&limit=20'],
    ['from=2026-11-21&to=2026-11-30', 'en', 'from=2026-11-21&to=2026-11-30'],
  ] as const)('%s in %s is spelled %s', (query, lang, spelled) => {
    expect(read(query, lang)).toEqual({ spelled, left_out: [] });
  });
});

describe('what is not understood', () => {
  test.each([
    ['zone=atlantis', '', ['zone=atlantis']],
    ['venue=atlantis&radius_km=51', '', ['radius_km=51', 'venue=atlantis']],
    ['zone=atlantis,centro,lemuria', 'zone=centro', ['zone=atlantis, lemuria']],
    ['free=si&family=1', 'family=1', ['free=si']],
    ['date=2026-02-30&free=1', 'free=1', ['date=2026-02-30']],
    ['from=2026-12-01&to=2026-11-21', 'to=2026-11-21', ['from=2026-12-01']],
    ['to=2020-01-01', '', ['to=2020-01-01']],
    ['from=2026-11-21&to=2027-11-21', 'from=2026-11-21', ['to=2027-11-21']],
    ['near=cancun', '', ['near=cancun']],
    ['near=21.1,-86.8&radius_km=500', 'near=21.1%2C-86.8', ['radius_km=500']],
    [`q=${'a'.repeat(101)}`, '', [`q=${'a'.repeat(101)}`]],
    ['limit=0', '', ['limit=0']],
    ['cursor=nada&free=1', 'free=1', ['cursor=nada']],
  ])('%s leaves %s', (query, spelled, left_out) => {
    expect(read(query)).toEqual({ spelled, left_out });
  });
});
