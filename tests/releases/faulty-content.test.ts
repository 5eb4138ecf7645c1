// Content with faults, as releases take it one after the other: what was good stands, all else goes on.
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import type { Dataset } from '../../src/domain/dataset.ts';
import { EMPTY_LEDGER, type Ledger } from '../../src/domain/ledger.ts';
import { readLastBuild, writeFailure } from '../../src/releases/last-build.ts';
import { toLayout } from '../../src/releases/layout.ts';
import {
  digestContent,
  formatFault,
  takeAll,
  takeAllAndKeep,
  takeGood,
  type TakenSources,
} from '../../src/releases/take-sources.ts';
import { openSourceStore } from '../../src/inbox/source-store.ts';
import { toId } from '../../src/sources/identity.ts';
import { type InboxRecords, NO_INBOX_RECORDS } from '../../src/sources/inbox/read-inbox.ts';
import { FIXTURE_DIR, FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { startTown } from '../fixtures/released-town.ts';

/** Of SQLite. */
const PAGE_BYTES = 4096;
const FERIA = 'events/feria-diaria';
const FERIA_ID = toId('event', 'feria-diaria');
let folder = '';
let town: ReturnType<typeof startTown>;
let ledger: Ledger;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hoy-faults-'));
  town = startTown(join(folder, 'content'));
  ledger = EMPTY_LEDGER;
});
afterEach(() => rmSync(folder, { recursive: true }));

const toConfig = () => readConfig({ DATA_DIR: folder, CONTENT_DIR: join(folder, 'content') });
const take = ({
  records = NO_INBOX_RECORDS,
  how = takeGood,
}: {
  records?: InboxRecords;
  how?: typeof takeGood;
} = {}): TakenSources => how(toConfig(), { ledger, now_ms: FRIDAY_NOON_MS, records });
/** As a release that serves. */
function release(): TakenSources {
  const taken = take();
  taken.keep();
  ({ ledger } = taken.dataset);
  return taken;
}
const tell = ({ faults }: TakenSources): string[] => faults.map(formatFault).sort();
const titleOf = ({ events }: Dataset, id: string): string | undefined =>
  events.find((event) => event.id === id)?.title.es;
const STANDS = 'what it last said stands';
const OUT = 'left out, for it never was good';

describe('a faulty file', () => {
  test('says what it last said, is named with file, line and field, and all others go on', () => {
    const before = release();
    town.edit(FERIA, /Feria diaria/, 'Otro nombre');
    town.edit(FERIA, /category: markets/, 'category: mercado');
    town.edit('events/concierto-unico', /^title: .*$/m, 'title: { es: Nuevo, en: New }');
    const after = release();
    expect(tell(after)).toEqual([
      expect.stringMatching(`^events/feria-diaria\\.yml:3 category: must be one of .*; ${STANDS}$`),
    ]);
    expect(titleOf(after.dataset, FERIA_ID)).toBe('Feria diaria');
    expect(titleOf(after.dataset, toId('event', 'concierto-unico'))).toBe('Nuevo');
    expect(after.dataset.events).toHaveLength(before.dataset.events.length);
    // A second release does not forget what the first one knew.
    expect(titleOf(release().dataset, FERIA_ID)).toBe('Feria diaria');
    town.edit(FERIA, /category: mercado/, 'category: markets');
    const mended = release();
    expect([tell(mended), titleOf(mended.dataset, FERIA_ID)]).toEqual([[], 'Otro nombre']);
  });

  test('keeps no cancellation from being published', () => {
    release();
    town.write(FERIA, 'title: [');
    const override = { event: FERIA_ID, date: '', override: { status: 'cancelled' } } as const;
    const records = { ...NO_INBOX_RECORDS, overrides: [override] };
    const { dataset, faults } = take({ records });
    expect(dataset.events.find(({ id }) => id === FERIA_ID)?.status).toBe('cancelled');
    expect(faults[0]).toMatchObject({ file: `${FERIA}.yml`, line: 1, is_left_out: false });
  });

  test('that never was good is left out; what is not read at all is named too', () => {
    release();
    town.write('events/nueva', 'title: { es: Nueva, en: New }\n');
    writeFileSync(join(folder, 'content', 'events', 'Apuntes.txt'), 'nada');
    const after = release();
    expect(after.dataset.events.map(({ id }) => id)).not.toContain(toId('event', 'nueva'));
    expect(new Set(tell(after).map((line) => line.split(/[: ]/)[0]))).toEqual(
      new Set(['events/Apuntes.txt', 'events/nueva.yml']),
    );
    expect(tell(after).every((line) => line.endsWith(OUT))).toBe(true);
  });

  test('on which everything depends stands too; where it never was good, nothing is built', () => {
    const { dataset } = release();
    for (const file of ['zones', 'categories', 'calendar', 'search-words']) town.write(file, '- [');
    const after = release();
    expect(after.dataset.taxonomy).toEqual(dataset.taxonomy);
    expect(after.dataset.search_words).toEqual(dataset.search_words);
    expect(tell(after).every((line) => line.endsWith(STANDS))).toBe(true);
    town.remove('zones');
    expect(release().dataset.taxonomy).toEqual(dataset.taxonomy);
    rmSync(join(folder, 'sources.db'));
    expect(() => take()).toThrow(/zones\.yml is missing/);
  });

  test('stops whoever wants to know of every fault, and whoever is strict', () => {
    release();
    town.write(FERIA, 'title: [');
    for (const how of [takeAll, takeAllAndKeep])
      expect(() => take({ how })).toThrow(/nothing was built[\s\S]*feria-diaria\.yml:1/);
  });

  test('is named where a build fails', () => {
    town.write(FERIA, 'title: [');
    const layout = toLayout(folder);
    try {
      take({ how: takeAll });
    } catch (thrown) {
      writeFailure(layout, '2026-11-20T18:00:00-05:00', thrown);
    }
    const { failure } = readLastBuild(layout);
    expect(failure?.faults?.[0]).toMatchObject({ file: `${FERIA}.yml`, line: 1 });
  });
});

describe('files that do not pass together', () => {
  test('a place that is gone and still named stands; the event that names it is named', () => {
    const before = release();
    town.remove('venues/malecon-inventado');
    const after = release();
    expect(after.dataset.venues).toEqual(before.dataset.venues);
    expect(tell(after)).toContainEqual(
      expect.stringMatching(
        `^events/feria-diaria\\.yml:5 venue: 'malecon-inventado' is not there.*${STANDS}$`,
      ),
    );
    expect(release().dataset.venues).toEqual(before.dataset.venues);
  });

  test('an event that names a place that never was says what it last said', () => {
    release();
    town.edit(FERIA, /venue: .*/, 'venue: en-ninguna-parte');
    expect(tell(release())).toEqual([
      expect.stringMatching(`^events/feria-diaria\\.yml:5 .*${STANDS}$`),
    ]);
  });

  test('an address goes on leading to what had it; the newcomer is left out', () => {
    release();
    town.write('events/aaa', town.read(FERIA));
    const after = release();
    expect(
      tell(after).every((line) => line.startsWith('events/aaa.yml') && line.endsWith(OUT)),
    ).toBe(true);
    expect(titleOf(after.dataset, FERIA_ID)).toBe('Feria diaria');
  });

  test('what broke others that are as they were goes back itself', () => {
    const before = release();
    town.edit('calendar', /key: christmas/, 'key: xmas');
    const after = release();
    expect(tell(after)).toEqual([
      expect.stringMatching(
        `^venues/malecon-inventado\\.yml:20 .*'christmas' is no holiday.*${STANDS}$`,
      ),
    ]);
    expect(after.dataset.venues).toEqual(before.dataset.venues);
    expect(after.dataset.calendar).toEqual(before.dataset.calendar);
  });
});

describe('what was read before', () => {
  test('is not parsed again, says the same, and is read anew by other code', () => {
    const { dataset } = release();
    const store = openSourceStore(folder, join(folder, 'content'), 'other code');
    expect(store.find(`${FERIA}.yml`)?.is_of_this_code).toBe(false);
    store.close();
    expect(take().dataset).toEqual(dataset);
    expect(take({ how: takeAll }).dataset).toEqual(dataset);
  });

  test('is forgotten where content is another folder, or the file is damaged', () => {
    release();
    town.write(FERIA, 'title: [');
    const other = join(folder, 'other');
    expect(openSourceStore(folder, other, 'x').find('zones.yml')).toBeNull();
    town.stop();
    copyFileSync(join(FIXTURE_DIR, `${FERIA}.yml`), join(folder, 'content', `${FERIA}.yml`));
    release();
    writeFileSync(join(folder, 'sources.db'), 'no database');
    expect(tell(release())).toEqual([]);
  });

  test('costs a reading and no more, wherever the file is damaged', () => {
    const path = join(folder, 'sources.db');
    const good = release().dataset;
    const digests = digestContent(toConfig());
    const bytes = readFileSync(path);
    for (let page = 1; page * PAGE_BYTES < bytes.length; page++) {
      const damaged = Buffer.from(bytes).fill(0xff, page * PAGE_BYTES, (page + 1) * PAGE_BYTES);
      writeFileSync(path, damaged);
      expect(digestContent(toConfig()), `page ${page}`).toEqual(digests);
      const store = openSourceStore(folder, toConfig().content_dir, 'x');
      store.listDigests();
      store.close();
    }
    const taken = release();
    expect(tell(taken)).toEqual([]);
    expect(taken.dataset.events).toEqual(good.events);
  });
});
