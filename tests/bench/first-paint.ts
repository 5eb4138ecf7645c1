// What a telephone far away sees, and when: each page on a slow connection and a slow processor, in
// a browser of its own each time.
import { type Browser, type CDPSession, chromium } from 'playwright';
import * as v from 'valibot';
import { toMedian } from './medians.ts';

/** The conditions: a latency for each request, and how many times slower the processor is. */
export interface Conditions {
  readonly latency_ms: number;
  readonly cpu_rate: number;
}

/** When the largest part of the first screen was painted, and how much moved afterwards. */
export interface FirstPaint {
  readonly path: string;
  /** Largest contentful paint, the middle one of the rounds. */
  readonly lcp_ms: number;
  /** Cumulative layout shift, the worst of the rounds. */
  readonly cls: number;
}

const PHONE = { width: 390, height: 844 } as const;
/** Long enough for the font and the rest of the style to come and move something. */
const SETTLE_MS = 2500;

const OBSERVE = `globalThis.paint = { lcp_ms: 0, cls: 0 };
new PerformanceObserver((list) => { for (const entry of list.getEntries()) paint.lcp_ms = entry.startTime; }).observe({ type: 'largest-contentful-paint', buffered: true });
new PerformanceObserver((list) => { for (const entry of list.getEntries()) paint.cls += entry.value; }).observe({ type: 'layout-shift', buffered: true });`;
const PaintSchema = v.object({ lcp_ms: v.number(), cls: v.number() });

async function slowDown(session: CDPSession, { latency_ms, cpu_rate }: Conditions): Promise<void> {
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: latency_ms,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpu_rate });
}

async function paintOnce(
  browser: Browser,
  url: string,
  conditions: Conditions,
): Promise<v.InferOutput<typeof PaintSchema>> {
  const context = await browser.newContext({ viewport: PHONE, isMobile: true, bypassCSP: true });
  try {
    const page = await context.newPage();
    await slowDown(await context.newCDPSession(page), conditions);
    await page.addInitScript(OBSERVE);
    await page.goto(url, { waitUntil: 'networkidle' });
    await page.waitForTimeout(SETTLE_MS);
    return v.parse(PaintSchema, await page.evaluate('globalThis.paint'));
  } finally {
    await context.close();
  }
}

/** Measures each path of a running server, `rounds` times. */
export async function measureFirstPaint(
  program: string,
  base_url: string,
  paths: readonly string[],
  rounds: number,
  conditions: Conditions,
): Promise<readonly FirstPaint[]> {
  const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] });
  try {
    const found: FirstPaint[] = [];
    for (const path of paths) {
      const paints = [];
      for (let round = 0; round < rounds; round += 1)
        paints.push(await paintOnce(browser, new URL(path, base_url).href, conditions));
      found.push({
        path,
        lcp_ms: toMedian(paints.map(({ lcp_ms }) => lcp_ms)),
        cls: Math.max(...paints.map(({ cls }) => cls)),
      });
    }
    return found;
  } finally {
    await browser.close();
  }
}
