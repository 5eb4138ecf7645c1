// Nothing moves by itself while a page comes in: its letters, its sheet, its module and what a
// script shows are late here (issue 11, first paint: CLS at most 0.01).
import { expect, test } from 'vitest';
import { getBrowser } from '../fixtures/browser.ts';
import { MAX_SHIFT, measureShift } from '../fixtures/layout-shift.ts';

const browser = await getBrowser();

const PATHS = [
  ...['/hoy', '/en/today', '/fecha/2026-11-25', '/semana', '/en/week'],
  ...['/buscar', '/buscar?q=de&date=week', '/en/search?q=de&date=week'],
  ...['/eventos/feria-diaria', '/eventos/exposicion-larga', '/en/events/postponed-play'],
  ...['/lugares/malecon-inventado', '/zonas/isla-mujeres', '/mapa', '/calendario'],
  ...['/publicar', '/docs', '/en/docs', '/avisos', '/en/notices'],
];

test.each(PATHS.flatMap((path) => [390, 1280].map((width) => ({ path, width }))))(
  '$path at $width px stays where it is',
  async ({ path, width }) => {
    const { score, what } = await measureShift(browser, path, width);
    expect({ what, is_steady: score <= MAX_SHIFT }).toEqual({ what, is_steady: true });
  },
);
