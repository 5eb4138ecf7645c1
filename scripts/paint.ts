// npm run paint: when the first screen is there, on a slow connection and a slow processor.
import { parseArgs } from 'node:util';
import { type FirstPaint, measureFirstPaint } from '../tests/bench/first-paint.ts';
import { PARTS, type PageWeight, weighPage } from '../tests/bench/weights.ts';
import { findChromium } from './find-chromium.ts';

const MAX_LCP_MS = 2400;
const MAX_CLS = 0.01;
const CONDITIONS = { latency_ms: 2000, cpu_rate: 4 } as const;

const HELP = `npm run paint -- URL [PATH …]

Opens pages of a running server (http://localhost:4321) as a telephone that waits 2 s for each request and computes four times
slower, three times each, and says when the largest part of the first screen was painted (LCP) and how much moved (CLS).
Before that, what each page weighs over the wire, in kB: HTML, style, font, script and all of it; --weights stops there.
Ends with 1 where a page takes longer than ${MAX_LCP_MS / 1000} s or moves more than ${MAX_CLS}. Measures the machine too: on a busy one, believe the best.
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { help: { type: 'boolean', short: 'h' }, weights: { type: 'boolean' } },
});

const toLine = ({ path, lcp_ms, cls }: FirstPaint): string =>
  `${path.padEnd(28)}LCP ${(lcp_ms / 1000).toFixed(2)} s   CLS ${cls.toFixed(4)}`;

const toKb = (bytes: number): string => (bytes / 1000).toFixed(1).padStart(5);
const toWeightLine = ({ path, bytes, all }: PageWeight): string =>
  `${path.padEnd(28)} ${PARTS.map((part) => `${part} ${toKb(bytes[part])}`).join('   ')}   all ${toKb(all)} kB`;

if (values.help) process.stdout.write(HELP);
else {
  const [base_url = 'http://localhost:4321', ...paths] = positionals;
  if (!URL.canParse(base_url))
    throw new Error(`URL: '${base_url}' is no address, give the server's`);
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  const asked = paths.length > 0 ? paths : ['/hoy', '/en/today', '/semana'];
  for (const path of asked) say(toWeightLine(await weighPage(base_url, path)));
  if (!values.weights) {
    const found = await measureFirstPaint(await findChromium(say), base_url, asked, 3, CONDITIONS);
    for (const paint of found) say(toLine(paint));
    process.exitCode = found.every(({ lcp_ms, cls }) => lcp_ms <= MAX_LCP_MS && cls <= MAX_CLS)
      ? 0
      : 1;
  }
}
