// Browser clock: the only place that reads the clock of the visitor's device. The service worker
// gets this function as an argument, because it cannot import modules.

/** Returns the present instant by the device's clock, epoch ms. */
export const browserNowMs = (): number => Date.now();
