// One day, one truth: its page, Markdown, JSON and tool say the same sentences and links.
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { htmlToText } from '../fixtures/page-text.ts';
import { DayResponse } from '../fixtures/responses.ts';
import { serveSharedRelease } from '../fixtures/shared-release.ts';

const server = await serveSharedRelease();
const readText = async (path: string): Promise<string> => (await server.get(path)).text();

test.each([
  ['es', '2026-11-20', '/hoy', []],
  ['en', '2026-11-20', '/en/today', []],
  ['es', '2026-12-25', '/fecha/2026-12-25', ['Navidad']],
  ['en', '2026-12-25', '/en/date/2026-12-25', ['Christmas Day']],
])('in %s, of %s', async (lang, date, path, holidays) => {
  const answer = await readText(`/api/v1/days/${date}?lang=${lang}`);
  const { data } = v.parse(DayResponse, JSON.parse(answer));
  expect(data.holidays.map(({ name }) => name)).toEqual(holidays);
  const sentences = data.text.split(/(?<=\.) (?=\p{Lu})/u);
  expect(sentences.length).toBeGreaterThanOrEqual(4);

  const page = await readText(path);
  const texts = [htmlToText(page), await readText(`${path}.md`)];
  if (holidays.length === 0) {
    const tool = await (await server.callTool('eventos_hoy', { lang })).text();
    const { open_places: _places, ...day } = data;
    expect(tool).toContain(JSON.stringify(day));
    texts.push(tool);
  }
  // The page tells rise and set over the water, and the last light below.
  const sun = /^(Sale el sol|The sun rises)/;
  const [hours = []] = sentences
    .filter((said) => sun.test(said))
    .map((said) => said.match(/\d+:\d\d/g) ?? []);
  expect(hours).toHaveLength(3);
  for (const [at, text] of texts.entries()) {
    const told = at === 0 ? [...sentences.filter((said) => !sun.test(said)), ...hours] : sentences;
    for (const said of [...told, ...data.links.map(({ name }) => name)])
      expect(text).toContain(said);
  }
  for (const { url } of data.links) expect(page).toContain(`href="${url}"`);
});
