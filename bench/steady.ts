// Steady benchmark: visitors, programs and an editor use one service for a quarter of an hour. Its
// data folder must stay within the limits of its settings, and its memory must not grow.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  approvalForm,
  listSurfaces,
  logIn,
  request,
  submitEvent,
  submittedEvent,
  toolCallRequest,
} from './desk.ts';
import { addFigure, computeMedian, createFigure, type Figure } from './report.ts';
import { createTown, type LogLine, startService, type Town } from './service.ts';

const MINUTES = 15;
/** Decisions in the whole time, at equal intervals. */
const DECISIONS = 74;
const [CLIENTS, PAUSE_MS, SAMPLE_MS] = [4, 50, 5_000];
/** Settings of the service: the page cache has room for a few decisions only. */
const PAGE_CACHE_MB = 64;
/** Data beside the page cache: inbox, snapshots and their temporary copies. */
const OTHER_DATA_MB = 128;
/** Largest growth of memory from the second third of the time to the last one. */
const MAX_GROWTH = 1.15;

const PATHS = [
  ...['/hoy', '/en/today', '/hoy.md', '/manana', '/fin-de-semana', '/semana', '/mapa', '/lugares'],
  ...[
    '/api/v1/events',
    '/api/v1/events.ics',
    '/api/v1/notices',
    '/feeds/novedades.atom',
    '/llms.txt',
  ],
];
const WORDS = ['musica', 'gratis', 'playa', 'familia', 'noche', 'mercado', 'taller', 'cine'];

/** Returns a request that is equal for equal numbers, most of them not cached. */
function pickRequest(number: number): readonly [path: string, init?: RequestInit] {
  const word = WORDS[number % WORDS.length] ?? '';
  if (number % 4 === 0) return [`/buscar?q=${word}+${number % 1_000}`];
  if (number % 4 === 1) return [`/api/v1/events?q=${word}&limit=${1 + (number % 100)}`];
  if (number % 16 === 2) return ['/mcp', toolCallRequest('buscar_eventos', { texto: word })];
  return [PATHS[number % PATHS.length] ?? '/hoy'];
}

/** Computes the size of all files below a folder in MB; files that vanish meanwhile do not count. */
function readFolderMb(folder: string): number {
  const sizes = readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) =>
    entry.isFile()
      ? (statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0)
      : 0,
  );
  return sizes.reduce((sum, size) => sum + size, 0) / 1024 ** 2;
}

const formatMb = (mb: number): string => `${mb.toFixed(0)} MB`;

/** Approves a submission at equal intervals until `isOver`. @returns the number of decisions. */
async function decideRegularly(town: Town, interval_ms: number, isOver: () => boolean) {
  const submitForm = await logIn(town);
  let count = 0;
  for (; !isOver(); count++) {
    const next_ms = performance.now() + interval_ms;
    const { reference } = await submitEvent(town.port, count);
    await submitForm(`/revision/envios/${reference}`, approvalForm(count));
    await sleep(Math.max(0, next_ms - performance.now()));
    for (const [path, init] of listSurfaces(submittedEvent(Math.max(0, count - 3)).slug))
      await request(town.port, path, init);
  }
  return count;
}

export async function measureSteady(
  folder: string,
  log: LogLine,
  decisions = DECISIONS,
): Promise<readonly Figure[]> {
  const town = await createTown(folder, 'real', { PAGE_CACHE_MB: String(PAGE_CACHE_MB) });
  const service = await startService(town);
  const interval_ms = (MINUTES * 60_000) / DECISIONS;
  const end_ms = performance.now() + decisions * interval_ms;
  const isOver = (): boolean => performance.now() > end_ms;
  const samples: { readonly data_mb: number; readonly memory_mb: number }[] = [];
  let [sent, failed] = [0, 0];
  const read = async (): Promise<void> => {
    while (!isOver()) {
      const response = await request(town.port, ...pickRequest(sent++)).catch(() => null);
      if (response === null || response.status >= 500) failed += 1;
      await sleep(PAUSE_MS);
    }
  };
  const sample = async (): Promise<void> => {
    for (; !isOver(); await sleep(SAMPLE_MS)) {
      const [memory_mb = 0] = service.memoriesMb();
      samples.push({ data_mb: readFolderMb(town.data_dir), memory_mb });
      if (samples.length % 12 === 0)
        log(
          `  ${samples.length / 12} min: ${formatMb(samples.at(-1)?.data_mb ?? 0)} of data, ${formatMb(memory_mb)} of memory, ${sent} requests`,
        );
    }
  };
  try {
    const [decided] = await Promise.all([
      decideRegularly(town, interval_ms, isOver),
      sample(),
      ...Array.from({ length: CLIENTS }, read),
    ]);
    const third = Math.floor(samples.length / 3);
    const memoryOf = (from: number, to?: number) =>
      computeMedian(samples.slice(from, to).map(({ memory_mb }) => memory_mb));
    const [before_mb, after_mb] = [memoryOf(third, 2 * third), memoryOf(2 * third)];
    const largest_mb = Math.max(...samples.map(({ data_mb }) => data_mb));
    const figures: Figure[] = [];
    const details = `${decided} decisions, ${sent} requests`;
    addFigure(
      figures,
      log,
      createFigure(
        ['largest data folder', details],
        largest_mb,
        ['≤', PAGE_CACHE_MB + OTHER_DATA_MB],
        formatMb,
      ),
    );
    addFigure(
      figures,
      log,
      createFigure(
        [
          'memory of the last third relative to the second',
          `${formatMb(before_mb)}, then ${formatMb(after_mb)}`,
        ],
        after_mb / before_mb,
        ['≤', MAX_GROWTH],
        (ratio) => ratio.toFixed(2),
      ),
    );
    addFigure(
      figures,
      log,
      createFigure(['failed requests', `of ${sent}`], failed, ['≤', 0], String),
    );
    return figures;
  } finally {
    await service.stop();
  }
}
