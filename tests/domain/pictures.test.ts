// Pictures: an event's own picture comes before the drawing of its motif.
import { expect, test } from 'vitest';
import { findPicture, largestWidth, type PicturedEvent } from '../../src/domain/pictures.ts';

const ALT = { es: 'Sol', en: 'Sun' };
const STORED = { digest: '0'.repeat(32), widths: [320, 640], height: 480 };
const MOTIF = { key: 'sol', name: ALT, alt: ALT, digest: '0123456789' };

test.each<[string, PicturedEvent['event']['image'], PicturedEvent['motif'], string | undefined]>([
  ['a stored picture and a motif', { held: STORED, alt: ALT }, MOTIF, 'own'],
  ['a stored picture', { held: STORED, alt: ALT }, null, 'own'],
  ['a picture that is not fetched and a motif', { alt: ALT }, MOTIF, 'drawing'],
  ['a picture that is not fetched', { alt: ALT }, null, undefined],
  ['a motif', null, MOTIF, 'drawing'],
  ['neither', null, null, undefined],
])('an event with %s shows the right one', (_, image, motif, kind) => {
  expect(findPicture({ event: { image }, motif })?.kind).toBe(kind);
});

test('the largest width is the last', () => {
  expect(largestWidth(STORED)).toBe(640);
});
