// Poster: draws a sharing image with cards, date and texts above the sea or ground, as SVG and PNG. Texts become
// outlines, so that no user text is ever markup.
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
// All lengths in pixels.
const MARGIN = 64;
const SHORE_Y = 498;
const DATE_WIDTH = 372;
/** Gap between the date, or the card of an event, and the text column. */
const COLUMN_GAP = 56;
/** Width of the date on posters with cards. */
const NARROW_DATE_WIDTH = 280;
/** Height of a capital letter, relative to the font size. */
const CAPITAL_HEIGHT = 0.8;

const INK = townColor('ink');
const BLOOM = townColor('bloom');
const DEEP = townColor('deep');
const FOAM = townColor('foam');
const PAPER = townColor('paper');
const WATER = `<linearGradient id="w"><stop stop-color="${DEEP}"/><stop offset=".55" stop-color="${townColor('lagoon')}"/><stop offset="1" stop-color="${townColor('shallow')}"/></linearGradient>`;
const SKY = `<linearGradient id="s" x2="0" y2="1"><stop stop-color="${townColor('sky')}"/><stop offset="1" stop-color="${townColor('sky-low')}"/></linearGradient>`;
const SWELL = `M0 ${SHORE_Y - 4}q150 -34 300 0t300 0 300 0 300 0V${HEIGHT}H0Z`;
const SEA = `M0 ${SHORE_Y + 20}q100 -26 200 0t200 0 200 0 200 0 200 0 200 0V${HEIGHT}H0Z`;
/** Drawn below the texts: the sea, or plain ground in the deepest color of the town. */
const GROUND =
  TOWN.scene === 'sea'
    ? `<path fill="${DEEP}" opacity=".45" d="${SWELL}"/><path fill="url(#w)" stroke="${FOAM}" stroke-width="3" d="${SEA}"/>`
    : `<path fill="${DEEP}" d="M0 ${SHORE_Y + 20}H${WIDTH}V${HEIGHT}H0Z"/>`;
const drawSun = (x: number): string => `<path fill="#ffd08a" d="M${x} 592a26 26 0 0 1 52 0Z"/>`;

/** Frame of a card around its scene, in units of the scene (components/styles/thing.css draws the same). */
const CARD = { width: 232, height: 350, scene_x: 16, scene_y: 36 } as const;
/** Position and scale of an event's card, and of the cards of a day. */
const LARGE = { x: MARGIN, y: 40, scale: 550 / CARD.height } as const;
const SMALL = { y: 96, scale: 280 / CARD.height, column: 252 } as const;

const draw = (text: string, x: number, y: number, size: number, fill: string): string =>
  `<path fill="${fill}" d="${textOutline(text, x, y, size)}"/>`;

/** Picture inside a card: our own SVG or a JPEG as a data URL; null if it is missing. */
export type CardSource = string | null;

/** Draws a centered line, scaled down if it is wider than its box. */
function drawCentered(
  words: string,
  [box_x, box_width]: readonly [x: number, width: number],
  y: number,
  size: number,
) {
  const text = toDrawableText(words);
  const width = measureText(text, size);
  const fitted_size = width > box_width ? (size * box_width) / width : size;
  const x = box_x + (box_width - measureText(text, fitted_size)) / 2;
  return draw(text, x, y, fitted_size, INK);
}

function drawCard(
  { number, name }: PosterCard,
  source: CardSource,
  position: { x: number; y: number; scale: number },
) {
  const { scene_x: x, scene_y: y } = CARD;
  const { width, height } = SCENE_SIZE;
  // Without a name, the bottom border is as wide as the side borders.
  const paper_height = name === null ? y + height + x : CARD.height;
  const box = `x="${x}" y="${y}" width="${width}" height="${height}"`;
  return [
    `<g transform="translate(${position.x} ${position.y}) scale(${position.scale.toFixed(4)})">`,
    `<rect x="2" y="2" width="${CARD.width - 4}" height="${paper_height - 4}" rx="14" fill="${PAPER}" stroke="${INK}" stroke-width="4"/>`,
    source && `<image ${box} preserveAspectRatio="xMidYMid slice" href="${source}"/>`,
    `<rect ${box} fill="none" stroke="${INK}" stroke-width="4"/>`,
    draw(toDrawableText(number), 18, 28, 27, INK),
    name && drawCentered(name, [x, width], 334, 32),
    '</g>',
  ].join('');
}

const capitalize = (text: string): string => text.slice(0, 1).toLocaleUpperCase() + text.slice(1);

/** Draws the date as three rows, vertically centered above the sea; its number fills the column. */
function drawDate(
  { weekday, number, month }: NonNullable<Poster['date']>,
  column_width: number,
): string {
  const fitRow = (words: string, max_size: number, gap: number, fill: string) => {
    const text = toDrawableText(words);
    const width = measureText(text, max_size);
    const size = width > column_width ? (max_size * column_width) / width : max_size;
    return { text, size, gap, fill };
  };
  const rows = [
    fitRow(capitalize(weekday), 74, 0, BLOOM),
    fitRow(number, 300, 36, INK),
    fitRow(month, 64, 34, INK),
  ];
  const height = rows.reduce((sum, { gap, size }) => sum + gap + size * CAPITAL_HEIGHT, 0);
  let y = (SHORE_Y - 10 - height) / 2 + 4;
  return rows
    .map(({ text, size, gap, fill }) => {
      y += gap + size * CAPITAL_HEIGHT;
      return draw(text, MARGIN, y, size, fill);
    })
    .join('');
}

/** Line height, relative to the font size. */
const LINE_HEIGHT = 1.06;
/** Font sizes and line limits of a title, tried in order: two large lines, or three smaller ones. */
const TITLE_STEPS = [
  [104, 2],
  [92, 2],
  [78, 3],
  [70, 3],
] as const;
const LINE_STEPS = [
  [46, 1],
  [42, 1],
] as const;

const formatDay = ({ weekday, number, month }: NonNullable<Poster['date']>): string =>
  capitalize(`${weekday} ${number} ${month}`);

/**
 * Draws title and lines in the text column, vertically centered above the sea.
 * @param lead Texts of the line above the title.
 */
function drawTexts(
  { title: poster_title, lines: poster_lines }: Poster,
  lead: readonly (string | null)[],
  x: number,
) {
  const fitBlock = (text: string, steps: TextBox['steps'], gap: number, fill: string) => {
    const fitted = fitTextInBox(text, { width: WIDTH - MARGIN - x, steps });
    return fitted.lines.length === 0 ? [] : [{ ...fitted, gap, fill }];
  };
  // If the font cannot draw the title, the first drawable line replaces it.
  const [title = '', ...lines] = [poster_title, ...poster_lines]
    .map(toDrawableText)
    .filter((text) => text !== '');
  const blocks = [
    ...fitBlock(toDrawableText(lead.filter(Boolean).join(' · ')), LINE_STEPS, 0, BLOOM),
    ...fitBlock(title, TITLE_STEPS, 6, INK),
    ...lines.flatMap((line, index) => fitBlock(line, LINE_STEPS, index === 0 ? 22 : 4, DEEP)),
  ];
  const height = blocks.reduce(
    (sum, block) => sum + (block.gap + block.lines.length * block.size * LINE_HEIGHT),
    0,
  );
  let y = (SHORE_Y - 16 - height) / 2;
  let drawn = '';
  for (const { lines: fitted, size, gap, fill } of blocks) {
    y += gap;
    for (const line of fitted) {
      y += size * LINE_HEIGHT;
      drawn += draw(line, x, y - size * 0.2, size, fill);
    }
  }
  return drawn;
}

/** Font sizes and line limits of the title under a small card. */
const CARD_TITLE_STEPS = [
  [32, 2],
  [29, 3],
] as const;

/** Draws the poster of days: title and lines in one row, and below them the cards with their titles. */
function drawCards({ title, lines, cards }: Poster, sources: readonly CardSource[], left: number) {
  const heading = [title, ...lines].map(toDrawableText).filter(Boolean).join(' · ');
  const { lines: heading_lines, size } = fitTextInBox(heading, {
    width: WIDTH - MARGIN - left,
    steps: LINE_STEPS,
  });
  const drawn = cards.map((card, index) => {
    const x = left + index * SMALL.column;
    const { lines: title_lines, size: title_size } = fitTextInBox(
      toDrawableText(card.title ?? ''),
      { width: SMALL.column - 20, steps: CARD_TITLE_STEPS },
    );
    const top = SMALL.y + CARD.height * SMALL.scale + 8;
    const drawn_title = title_lines.map((line, row) =>
      draw(line, x, top + (row + 1) * title_size * LINE_HEIGHT - title_size * 0.2, title_size, INK),
    );
    return drawCard(card, sources[index] ?? null, { ...SMALL, x }) + drawn_title.join('');
  });
  return heading_lines.map((line) => draw(line, left, 76, size, DEEP)).join('') + drawn.join('');
}

/** Renders a poster as SVG. Equal posters and sources give equal text. */
export function renderPosterSvg(poster: Poster, sources: readonly CardSource[]): string {
  const { date, mark, cards } = poster;
  const [first] = cards;
  const is_event = first?.title === null;
  const text_x = LARGE.x + CARD.width * LARGE.scale + COLUMN_GAP - 10;
  const footer_x = is_event ? text_x : MARGIN;
  const drawBody = (): string => {
    if (is_event && first)
      return (
        drawCard(first, sources[0] ?? null, LARGE) +
        drawTexts(poster, [mark, date && formatDay(date)], text_x)
      );
    const width = first ? NARROW_DATE_WIDTH : DATE_WIDTH;
    const x = date === null ? MARGIN : MARGIN + width + COLUMN_GAP;
    const body = first ? drawCards(poster, sources, x) : drawTexts(poster, [mark], x);
    return (date === null ? '' : drawDate(date, width)) + body;
  };
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">`,
    `<defs>${SKY}${WATER}</defs><rect width="${WIDTH}" height="${HEIGHT}" fill="url(#s)"/>`,
    GROUND,
    drawSun(footer_x),
    draw(toDrawableText(poster.name), footer_x + 72, 592, 52, FOAM),
    drawBody(),
    '</svg>',
  ].join('');
}

/** Reads the picture of a card or scene. @returns null if it is missing. */
export type ReadCardSource = (
  picture: Picture,
) => Promise<{ readonly type: string; readonly bytes: Buffer } | null>;

/** Renders a poster or scene as PNG. Equal requests and sources give equal bytes. */
export async function renderPng(
  request: DrawingRequest,
  readSource: ReadCardSource,
): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  if ('scene' in request) {
    const motif = request.scene;
    const source = await readSource({ kind: 'drawing', motif, alt: motif.alt });
    const density = (72 * SCENE_PIXELS.width) / SCENE_SIZE.width;
    return sharp(source?.bytes, { density })
      .resize(SCENE_PIXELS)
      .png({ compressionLevel: 9, palette: true })
      .toBuffer();
  }
  const sources = await Promise.all(
    request.cards.map(async ({ picture }) => {
      const source = await readSource(picture);
      return source && `data:${source.type};base64,${source.bytes.toString('base64')}`;
    }),
  );
  return sharp(Buffer.from(renderPosterSvg(request, sources)))
    .png({ compressionLevel: 9 })
    .toBuffer();
}
