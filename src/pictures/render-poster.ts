// A poster: a sky with cards, the date and the words, sea or ground below. All words are outlines, so
// nothing that a stranger wrote is markup here.
import { townColor, TOWN } from '../town.ts';
import {
  type DrawingRequest,
  type Picture,
  type Poster,
  POSTER_SIZE,
  type PosterCard,
  SCENE_PIXELS,
  SCENE_SIZE,
} from '../domain/pictures.ts';
import {
  fitTextInBox,
  measureText,
  type TextBox,
  toDrawableText,
  textOutline,
} from './text-outlines.ts';

const { width: WIDTH, height: HEIGHT } = POSTER_SIZE;
const EDGE = 64;
const SHORE = 498;
/** The column of the date, and where what stands beside it begins. */
const DATE_WIDTH = 372;
const BESIDE = 56;
/** Where there are cards the date makes room. */
const NARROW_DATE = 280;
/** The height of a capital of this type, of its size. */
const CAPITAL = 0.8;

const INK = townColor('ink');
const BLOOM = townColor('bloom');
const DEEP = townColor('deep');
const FOAM = townColor('foam');
const PAPER = townColor('paper');
const WATER = `<linearGradient id="w"><stop stop-color="${DEEP}"/><stop offset=".55" stop-color="${townColor('lagoon')}"/><stop offset="1" stop-color="${townColor('shallow')}"/></linearGradient>`;
const SKY = `<linearGradient id="s" x2="0" y2="1"><stop stop-color="${townColor('sky')}"/><stop offset="1" stop-color="${townColor('sky-low')}"/></linearGradient>`;
const SWELL = `M0 ${SHORE - 4}q150 -34 300 0t300 0 300 0 300 0V${HEIGHT}H0Z`;
const SEA = `M0 ${SHORE + 20}q100 -26 200 0t200 0 200 0 200 0 200 0 200 0V${HEIGHT}H0Z`;
/** Below the words: the sea, or a ground of its deepest colour. */
const GROUND =
  TOWN.scene === 'sea'
    ? `<path fill="${DEEP}" opacity=".45" d="${SWELL}"/><path fill="url(#w)" stroke="${FOAM}" stroke-width="3" d="${SEA}"/>`
    : `<path fill="${DEEP}" d="M0 ${SHORE + 20}H${WIDTH}V${HEIGHT}H0Z"/>`;
const drawSun = (x: number): string => `<path fill="#ffd08a" d="M${x} 592a26 26 0 0 1 52 0Z"/>`;

/** The frame of a card around its scene, in units of the scene (components/styles/thing.css draws the same). */
const CARD = { width: 232, height: 350, scene_x: 16, scene_y: 36 } as const;
/** Of the card of an event, and of those of days. */
const LARGE = { x: EDGE, y: 40, scale: 550 / CARD.height } as const;
const SMALL = { y: 96, scale: 280 / CARD.height, column: 252 } as const;

const draw = (text: string, x: number, y: number, size: number, fill: string): string =>
  `<path fill="${fill}" d="${textOutline(text, x, y, size)}"/>`;

/** What is inside a card: SVG of ours or a JPEG, as an address that holds it; null where it is gone. */
export type CardSource = string | null;

/** A line in the middle of a room, at most as wide. */
function drawCentred(
  words: string,
  room: readonly [x: number, width: number],
  y: number,
  size: number,
) {
  const text = toDrawableText(words);
  const wide = measureText(text, size);
  const fitted = wide > room[1] ? (size * room[1]) / wide : size;
  const x = room[0] + (room[1] - measureText(text, fitted)) / 2;
  return draw(text, x, y, fitted, INK);
}

function drawCard(
  { number, name }: PosterCard,
  source: CardSource,
  at: { x: number; y: number; scale: number },
) {
  const { scene_x: x, scene_y: y } = CARD;
  const { width, height } = SCENE_SIZE;
  // Without a name the paper ends as far below the scene as beside it.
  const paper = name === null ? y + height + x : CARD.height;
  const box = `x="${x}" y="${y}" width="${width}" height="${height}"`;
  return [
    `<g transform="translate(${at.x} ${at.y}) scale(${at.scale.toFixed(4)})">`,
    `<rect x="2" y="2" width="${CARD.width - 4}" height="${paper - 4}" rx="14" fill="${PAPER}" stroke="${INK}" stroke-width="4"/>`,
    source && `<image ${box} preserveAspectRatio="xMidYMid slice" href="${source}"/>`,
    `<rect ${box} fill="none" stroke="${INK}" stroke-width="4"/>`,
    draw(toDrawableText(number), 18, 28, 27, INK),
    name && drawCentred(name, [x, width], 334, 32),
    '</g>',
  ].join('');
}

const capitalise = (text: string): string => text.slice(0, 1).toLocaleUpperCase() + text.slice(1);

/** The date: its number fills the column; in the middle between the upper edge and the sea. */
function drawDate({ weekday, number, month }: NonNullable<Poster['date']>, room: number): string {
  const place = (words: string, max_size: number, gap: number, fill: string) => {
    const text = toDrawableText(words);
    const width = measureText(text, max_size);
    const size = width > room ? (max_size * room) / width : max_size;
    return { text, size, gap, fill };
  };
  const rows = [
    place(capitalise(weekday), 74, 0, BLOOM),
    place(number, 300, 36, INK),
    place(month, 64, 34, INK),
  ];
  const height = rows.reduce((sum, { gap, size }) => sum + gap + size * CAPITAL, 0);
  let y = (SHORE - 10 - height) / 2 + 4;
  return rows
    .map(({ text, size, gap, fill }) => {
      y += gap + size * CAPITAL;
      return draw(text, EDGE, y, size, fill);
    })
    .join('');
}

/** Lines are this far apart, of their size. */
const LEADING = 1.06;
/** For a title: two lines of a large size, or three of a smaller one. */
const TITLE = [
  [104, 2],
  [92, 2],
  [78, 3],
  [70, 3],
] as const;
const LINE = [
  [46, 1],
  [42, 1],
] as const;

const toDay = ({ weekday, number, month }: NonNullable<Poster['date']>): string =>
  capitalise(`${weekday} ${number} ${month}`);

/** `lead`: what stands above the title, in a line. */
function drawWords(
  { title: own, lines: told }: Poster,
  lead: readonly (string | null)[],
  x: number,
) {
  const place = (text: string, steps: TextBox['steps'], gap: number, fill: string) => {
    const fitted = fitTextInBox(text, { width: WIDTH - EDGE - x, steps });
    return fitted.lines.length === 0 ? [] : [{ ...fitted, gap, fill }];
  };
  // Where the type cannot write the title, what comes next stands in its place.
  const [title = '', ...lines] = [own, ...told].map(toDrawableText).filter((text) => text !== '');
  const blocks = [
    ...place(toDrawableText(lead.filter(Boolean).join(' · ')), LINE, 0, BLOOM),
    ...place(title, TITLE, 6, INK),
    ...lines.flatMap((line, at) => place(line, LINE, at === 0 ? 22 : 4, DEEP)),
  ];
  const height = blocks.reduce(
    (all, one) => all + (one.gap + one.lines.length * one.size * LEADING),
    0,
  );
  let y = (SHORE - 16 - height) / 2;
  let drawn = '';
  for (const { lines: fitted, size, gap, fill } of blocks) {
    y += gap;
    for (const line of fitted) {
      y += size * LEADING;
      drawn += draw(line, x, y - size * 0.2, size, fill);
    }
  }
  return drawn;
}

/** For the title of what is on, under its card. */
const UNDER = [
  [32, 2],
  [29, 3],
] as const;

/** What is on some days: their title and how much there is in a line, cards with their titles beneath. */
function drawCards({ title, lines, cards }: Poster, sources: readonly CardSource[], from: number) {
  const head = [title, ...lines].map(toDrawableText).filter(Boolean).join(' · ');
  const { lines: fitted, size } = fitTextInBox(head, { width: WIDTH - EDGE - from, steps: LINE });
  const drawn = cards.map((card, at) => {
    const x = from + at * SMALL.column;
    const under = fitTextInBox(toDrawableText(card.title ?? ''), {
      width: SMALL.column - 20,
      steps: UNDER,
    });
    const top = SMALL.y + CARD.height * SMALL.scale + 8;
    const words = under.lines.map((line, row) =>
      draw(line, x, top + (row + 1) * under.size * LEADING - under.size * 0.2, under.size, INK),
    );
    return drawCard(card, sources[at] ?? null, { ...SMALL, x }) + words.join('');
  });
  return fitted.map((line) => draw(line, from, 76, size, DEEP)).join('') + drawn.join('');
}

/** The same words and sources give the same text. */
export function renderPosterSvg(poster: Poster, sources: readonly CardSource[]): string {
  const { date, mark, cards } = poster;
  const [first] = cards;
  const is_event = first?.title === null;
  const beside = LARGE.x + CARD.width * LARGE.scale + BESIDE - 10;
  const foot = is_event ? beside : EDGE;
  const drawBody = (): string => {
    if (is_event && first)
      return (
        drawCard(first, sources[0] ?? null, LARGE) +
        drawWords(poster, [mark, date && toDay(date)], beside)
      );
    const width = first ? NARROW_DATE : DATE_WIDTH;
    const x = date === null ? EDGE : EDGE + width + BESIDE;
    const words = first ? drawCards(poster, sources, x) : drawWords(poster, [mark], x);
    return (date === null ? '' : drawDate(date, width)) + words;
  };
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">`,
    `<defs>${SKY}${WATER}</defs><rect width="${WIDTH}" height="${HEIGHT}" fill="url(#s)"/>`,
    GROUND,
    drawSun(foot),
    draw(toDrawableText(poster.name), foot + 72, 592, 52, FOAM),
    drawBody(),
    '</svg>',
  ].join('');
}

/** What a card or a scene is drawn from, to be read when it is. */
export type ReadCardSource = (
  picture: Picture,
) => Promise<{ readonly type: string; readonly bytes: Buffer } | null>;

/** As PNG; the same words and sources give the same bytes. */
export async function renderPng(drawn: DrawingRequest, read: ReadCardSource): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  if ('scene' in drawn) {
    const motif = drawn.scene;
    const found = await read({ kind: 'drawing', motif, alt: motif.alt });
    const density = (72 * SCENE_PIXELS.width) / SCENE_SIZE.width;
    return sharp(found?.bytes, { density })
      .resize(SCENE_PIXELS)
      .png({ compressionLevel: 9, palette: true })
      .toBuffer();
  }
  const sources = await Promise.all(
    drawn.cards.map(async ({ picture }) => {
      const found = await read(picture);
      return found && `data:${found.type};base64,${found.bytes.toString('base64')}`;
    }),
  );
  return sharp(Buffer.from(renderPosterSvg(drawn, sources)))
    .png({ compressionLevel: 9 })
    .toBuffer();
}
