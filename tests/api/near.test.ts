// A list by nearness says what it cannot place (contract 7.24).
import { afterAll, describe, expect, test } from 'vitest';
import { EventListResponse } from '../../src/serializers/wire/responses.ts';
import { respondMarkdown } from '../../src/site/markdown.ts';
import { resolveSearch } from '../../src/site/search.ts';
import { askFor } from '../fixtures/ask.ts';
import { FRIDAY_NOON_MS, openFixture } from '../fixtures/fixture.ts';
import { SITE } from '../fixtures/site.ts';

describe('near', () => {
  const { snapshot, close } = openFixture();
  afterAll(() => close());
  const near = 'near=21.1266,-86.8161';

  test('says how many events have no point and are left out, on every surface', () => {
    const { without_place } = askFor(snapshot, EventListResponse, `/api/v1/events?${near}`).meta;
    expect(without_place).toBeGreaterThan(0);
    const state = { snapshot, site: SITE, now_ms: FRIDAY_NOON_MS };
    const { narrowing } = resolveSearch(state, near, 'en').page;
    expect(narrowing.remarks).toEqual([
      `Leaves out ${without_place} events whose exact spot we don’t know.`,
    ]);
    return respondMarkdown(state, '/en/search', near)
      .text()
      .then((text) => expect(text).toContain(narrowing.remarks[0]));
  });

  test('is silent where no point is asked for', () => {
    expect(askFor(snapshot, EventListResponse, '/api/v1/events').meta).not.toHaveProperty(
      'without_place',
    );
  });
});
