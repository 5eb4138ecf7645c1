// Day summary: page, Markdown, JSON and MCP tool have the same sentences and links.
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
])('the surfaces of a day agree in %s on %s', async (lang, date, path, holidays) => {
  const response = await readText(`/api/v1/days/${date}?lang=${lang}`);
  const { data } = v.parse(DayResponse, JSON.parse(response));
  expect(data.holidays.map(({ name }) => name)).toEqual(holidays);
  const sentences = data.text.split(/(?<=\.) (?=\p{Lu})/u);
  expect(sentences.length).toBeGreaterThanOrEqual(4);

  const page = await readText(path);
  const texts = [htmlToText(page), await readText(`${path}.md`)];
  if (holidays.length === 0) {
    const tool = await (await server.callTool('eventos_hoy', { lang })).text();
    const { open_places: _places, ...day } = data;
    // Answers of tools omit null.
    expect(tool).toContain(JSON.stringify(day, (_, value: unknown) => value ?? undefined));
    texts.push(tool);
  }
  // The page shows sunrise and sunset in a drawing and last light below it, so compare only the hours.
  const SUN_PATTERN = /^(Sale el sol|The sun rises)/;
  const [hours = []] = sentences
    .filter((sentence) => SUN_PATTERN.test(sentence))
    .map((sentence) => sentence.match(/\d+:\d\d/g) ?? []);
  expect(hours).toHaveLength(3);
  for (const [at, text] of texts.entries()) {
    const expected =
      at === 0
        ? [...sentences.filter((sentence) => !SUN_PATTERN.test(sentence)), ...hours]
        : sentences;
    for (const words of [...expected, ...data.links.map(({ name }) => name)])
      expect(text).toContain(words);
  }
  for (const { url } of data.links) expect(page).toContain(`href="${url}"`);
});
