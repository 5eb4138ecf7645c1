// The map of the town: its zones with what they have today, the same as the list of today has.
import { expect, test } from 'vitest';
import { buildTownMap } from '../../src/domain/town-map.ts';
import { TOWN } from '../../src/town.ts';
import { loadAgendaPage } from '../../src/site/agenda-page.ts';
import { PAGE_PATHS } from '../../src/i18n/paths.ts';
import { createMarkdownResponse } from '../../src/site/markdown-responses.ts';
import { loadMapPage } from '../../src/site/map-page.ts';
import { matchPage } from '../../src/site/page-registry.ts';
import { SITE, openState } from '../fixtures/site.ts';

const state = openState();
const { snapshot } = state;

test.each(['es', 'en'] as const)('the map counts what today has in each zone (%s)', (lang) => {
  const { page } = loadMapPage(state, { lang });
  const counted = page.zones.map(({ key, count, path }) => {
    const [address = '', query = ''] = path.split('?');
    if (count === 0) return { key, count: 0, kind: matchPage(address)?.name };
    expect(address).toBe(PAGE_PATHS.today[lang]);
    const agenda = loadAgendaPage(state, { lang, date: 'today' }, query);
    if (agenda.kind === 'failure') throw new Error(path);
    return { key, count: agenda.page.agenda.events.length, kind: 'profile' };
  });
  expect(counted).toEqual(page.zones.map(({ key, count }) => ({ key, count, kind: 'profile' })));
  expect(page.busy.length).toBeGreaterThan(0);
  expect(page.busy.length + page.quiet.length).toBe(page.zones.length);
  const today = loadAgendaPage(state, { lang, date: 'today' }, '');
  if (today.kind === 'failure') throw new Error('today');
  const placed = page.zones.reduce((sum, { count }) => sum + count, 0);
  const left = today.page.agenda.events.length - placed;
  expect(page.unplaced?.match(/\d+/)?.[0] ?? '0').toBe(`${left}`);
});

test('the map says the same in Markdown, each zone a link', async () => {
  const { page } = loadMapPage(state, { lang: 'en' });
  const text = (await createMarkdownResponse(state, PAGE_PATHS.map.en).text()).replaceAll('\\', '');
  const lines = text.split('\n').filter((line) => line.startsWith('- '));
  expect(lines).toEqual(
    page.zones.map(({ name, count, path }) => {
      const events = count === 1 ? '1 event' : `${count} events`;
      return `- [${name}](${SITE.url}${path}): ${count === 0 ? 'nothing today' : events}`;
    }),
  );
});

test.each(['es', 'en'] as const)('no name of the map (%s) is touched for another', (lang) => {
  const { zones } = snapshot.taxonomy;
  const named = zones.map(({ key, name }) => ({ key, name: name[lang], count: 99 }));
  const areas = buildTownMap(named)?.names.map(({ key, area }) => ({ key, ...area })) ?? [];
  expect(areas).toHaveLength(TOWN.zone_keys.length);
  const overlapping = areas.flatMap((one, at) =>
    areas
      .slice(at + 1)
      .filter(({ x, y, w, h }) => {
        const is_beside = one.x >= x + w || x >= one.x + one.w;
        return !is_beside && one.y < y + h && y < one.y + one.h;
      })
      .map(({ key }) => `${one.key} and ${key}`),
  );
  expect(overlapping).toEqual([]);
});
