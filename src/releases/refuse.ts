// Refusing what did not pass its checks, with all that was found.

/** Throws one Error with every fault; does nothing where there is none. */
export function refuse(what: string, faults: readonly string[]): void {
  if (faults.length > 0) throw new Error(`The ${what} did not pass its checks:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
}
