/** The item at an index of a list that repeats for ever. */
export function itemAt<T>(items: readonly T[], index: number): T {
  const item = items[index % items.length]
  if (item === undefined) throw new Error('the list is empty')
  return item
}

/** A function that returns the items one after the other, for ever. */
export function roundRobin<T>(items: readonly T[]): () => T {
  let index = 0
  return () => itemAt(items, index++)
}
