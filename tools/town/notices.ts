// The notices of a made-up town: every type and severity, past, present, ahead, and without an end.
import type { Temporal } from 'temporal-polyfill';
import type * as v from 'valibot';
import { NOTICE_TYPES, SEVERITIES } from '../../src/domain/notice.ts';
import { ZONE_KEYS } from '../../src/domain/taxon.ts';
import type { NoticeSchema } from '../../src/sources/content-schema.ts';
import { HOSTILE_DESCRIPTIONS, HOSTILE_TITLES } from './hostile.ts';
import { PROVENANCE, type TownFile } from './places.ts';
import { createRandom, toSeed } from './random.ts';
import { written } from './words.ts';

const TITLE = written({
  es: 'Aviso de prueba: nada está cerrado',
  en: 'Test notice: nothing is closed',
});
const BODY = written({
  es: 'Aviso inventado para pruebas; no hay nada que hacer.',
  en: 'A made-up notice for tests; there is nothing to do.',
});

/** The notice of a number. */
export function toNoticeFile(
  number: number,
  seed: number,
  anchor: Temporal.PlainDate,
): TownFile<v.InferInput<typeof NoticeSchema>> {
  const random = createRandom(toSeed(seed, 'notice', number));
  const day = anchor.add({ days: random.int(-10, 40) }).toString();
  const hostile = number % 5 === 4;
  return {
    stem: `aviso-de-prueba-${number}`,
    value: {
      ...PROVENANCE,
      type: NOTICE_TYPES[number % NOTICE_TYPES.length] ?? 'other',
      severity: SEVERITIES[Math.floor(number / NOTICE_TYPES.length) % SEVERITIES.length] ?? 'info',
      title: (hostile ? HOSTILE_TITLES[number % HOSTILE_TITLES.length] : undefined) ?? TITLE,
      body:
        (hostile ? HOSTILE_DESCRIPTIONS[number % HOSTILE_DESCRIPTIONS.length] : undefined) ?? BODY,
      when: [
        number % 3 === 0
          ? { dates: [day], start: '14:00', end: '20:00' }
          : { dates: [day], days: random.int(1, 4) },
      ],
      bulletin: anchor.toString(),
      open: number % 11 === 10,
      ...(random.chance(40) ? { zone: random.pick(ZONE_KEYS) } : {}),
      ...(random.chance(70)
        ? { source: 'Oficina de Prueba', source_url: 'https://example.com/avisos' }
        : {}),
    },
  };
}
