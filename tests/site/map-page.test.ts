// Map page: counts today's events in each zone, as today's page does.
import { expect, test } from 'vitest';
import { buildTownMap } from '../../src/domain/town-map.ts';
import { TOWN } from '../../src/town.ts';
import { loadAgendaPage } from '../../src/site/agenda-page.ts';
import { PAGE_PATHS } from '../../src/i18n/paths.ts';
import { createMarkdownResponse } from '../../src/site/markdown-responses.ts';
import { loadMapPage } from '../../src/site/map-page.ts';
import { matchPage } from '../../src/site/page-registry.ts';
import { SITE, openPageContext } from '../fixtures/site.ts';

const state = openPageContext();
const { snapshot } = state;

test.each(['es', 'en'] as const)('the map counts the events of today in each zone (%s)', (lang) => {
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
  expect(page.zones_with_events.length).toBeGreaterThan(0);
  expect(page.zones_with_events.length + page.zones_without_events.length).toBe(page.zones.length);
  const today = loadAgendaPage(state, { lang, date: 'today' }, '');
  if (today.kind === 'failure') throw new Error('today');
  const zone_total = page.zones.reduce((sum, { count }) => sum + count, 0);
  const without_zone = today.page.agenda.events.length - zone_total;
  expect(page.without_zone?.match(/\d+/)?.[0] ?? '0').toBe(`${without_zone}`);
});

test('the Markdown version of the map lists the zones as links with their counts', async () => {
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

test.each(['es', 'en'] as const)('names of the map do not overlap (%s)', (lang) => {
  const { zones } = snapshot.taxonomy;
  const map_zones = zones.map(({ key, name }) => ({ key, name: name[lang], count: 99 }));
  const areas = buildTownMap(map_zones)?.names.map(({ key, area }) => ({ key, ...area })) ?? [];
  expect(areas).toHaveLength(TOWN.zone_keys.length);
  const overlapping = areas.flatMap((area, index) =>
    areas
      .slice(index + 1)
      .filter(({ x, y, w, h }) => {
        const is_side_by_side = area.x >= x + w || x >= area.x + area.w;
        return !is_side_by_side && area.y < y + h && y < area.y + area.h;
      })
      .map(({ key }) => `${area.key} and ${key}`),
  );
  expect(overlapping).toEqual([]);
});
