// Which words are forms of one another, and which only look alike.
import { describe, expect, test } from 'vitest';
import { dropSilent, sharesStem } from '../../src/domain/search-words.ts';

describe('one word in two forms', () => {
  test.each([
    ['artesanal', 'artesanias'],
    ['navidenos', 'navidena'],
    ['cubano', 'cubana'],
    ['reciclar', 'reciclado'],
    ['observar', 'observacion'],
    ['recycle', 'recycling'],
    ['painted', 'painting'],
    ['folcloricos', 'folclorica'],
  ])('%s and %s', (a, b) => {
    expect(sharesStem(a, b)).toBe(true);
  });
  test.each([
    ['lunes', 'luna'],
    ['mar', 'marea'],
    ['carta', 'carne'],
    ['planeta', 'planes'],
    ['parque', 'parquimetro'],
    ['museo', 'musica'],
  ])('not %s and %s', (a, b) => {
    expect(sharesStem(a, b)).toBe(false);
  });
});

describe('words that say nothing', () => {
  test.each([
    [['cosas', 'que', 'hacer', 'con', 'ninos'], ['ninos']],
    [
      ['things', 'to', 'do'],
      ['things', 'to', 'do'],
    ],
    [['feria'], ['feria']],
  ])('%j leaves %j', (wanted, telling) => {
    expect(dropSilent(wanted)).toEqual(telling);
  });
});
