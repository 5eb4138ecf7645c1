// The clock of the reader's own machine, the one place where it is read: the worker is given this
// function, for nothing from outside it is there when it runs.

/** The present instant, epoch ms, as the reader's machine has it. */
export const browserNowMs = (): number => Date.now();
