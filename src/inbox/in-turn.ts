/** Does work for each, one after another: within a transaction there is one connection. */
export async function inTurn<T, R>(
  each: Iterable<T>,
  work: (one: T) => Promise<R>,
): Promise<readonly R[]> {
  const done: R[] = [];
  for (const one of each) done.push(await work(one));
  return done;
}
