// What a page gains where scripts run: it is kept for when there is no network, shared, copied, and
// told by the minute. Nothing needs it: what only works with it is hidden until it is here.
import { browserNowMs } from './browser-clock.ts';
import { setUpSaveButtons } from './saved-events.ts';

const all = (selector: string): HTMLElement[] => [
  ...document.querySelectorAll<HTMLElement>(selector),
];

/** Shows a button and answers to it. */
function offer(button: HTMLElement, onClick: () => void): void {
  button.hidden = false;
  button.addEventListener('click', onClick);
}

/** The worker keeps pages, the open one too, though it came before the worker. */
function startWorker(): (path: string) => void {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return () => {};
  serviceWorker.register('/sw.js').catch(() => {});
  return (path) => void serviceWorker.ready.then(({ active }) => active?.postMessage(path));
}

function offerSharing(): void {
  for (const row of all('[data-text]')) {
    // A list that is kept changes its address.
    const readUrl = (): string => row.dataset.url ?? '';
    const { text = '' } = row.dataset;
    for (const button of row.querySelectorAll<HTMLElement>('button')) {
      const { done } = button.dataset;
      if (done === undefined) {
        if ('share' in navigator)
          offer(button, () => void navigator.share({ text, url: readUrl() }).catch(() => {}));
        continue;
      }
      if (!navigator.clipboard) continue;
      const label = button.textContent;
      offer(button, async () => {
        await navigator.clipboard.writeText(readUrl());
        button.textContent = done;
        setTimeout(() => {
          button.textContent = label;
        }, 4000);
      });
    }
  }
}

/** Three decimals are a hundred metres: enough to look around, too little to be found by. */
const round = (degrees: number): string => degrees.toFixed(3);

function offerNear(): void {
  if (!('geolocation' in navigator)) return;
  for (const button of all('[data-near]')) {
    const { near = '', denied = '' } = button.dataset;
    offer(button, () =>
      navigator.geolocation.getCurrentPosition(
        ({ coords }) =>
          location.assign(`${near}?near=${round(coords.latitude)},${round(coords.longitude)}`),
        () => {
          const said = document.createElement('span');
          said.setAttribute('role', 'status');
          said.textContent = denied;
          button.replaceWith(said);
        },
        { maximumAge: 300_000, timeout: 10_000 },
      ),
    );
  }
}

/** Rows of today that began or ended since the page was made say so. */
function tellTheHour(): void {
  const [words] = all('[data-ended]');
  if (!words) return;
  // The page was made at a minute of the service, whatever this machine's clock says; one that was
  // kept was made some other time.
  const made = Number(words.dataset.at);
  const skew = document.querySelector('.kept') ? 0 : made - browserNowMs();
  const label = (row: Element, kind: string, text: string): void => {
    const where = row.querySelector('.where');
    const old = row.querySelector('b.state');
    if (!where || old?.textContent === text) return;
    old?.remove();
    const state = document.createElement('b');
    state.className = `state ${kind}`;
    state.textContent = text;
    where.prepend(state);
  };
  const tell = (): void => {
    for (const row of all('.pick, .row:not(.cancelled, .postponed)')) {
      if (row.closest('.ended')) continue;
      const { until: end = '', assumed } = row.querySelector<HTMLElement>('.when')?.dataset ?? {};
      const until = Date.parse(end);
      const start = Date.parse(row.querySelector('.hour')?.getAttribute('datetime') ?? '');
      const now = browserNowMs() + skew;
      // After an end that is only assumed nobody knows whether it goes on.
      if (until <= now && assumed !== undefined) row.querySelector('b.state')?.remove();
      else if (until <= now) label(row, 'over', words.dataset.ended ?? '');
      else if (start > made && start <= now) label(row, 'on', words.dataset.now ?? '');
    }
  };
  tell();
  setInterval(tell, 30_000);
}

setUpSaveButtons(startWorker());
offerSharing();
offerNear();
tellTheHour();
