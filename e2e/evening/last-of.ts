/** The last element of a list; throws if the list is empty. */
export function lastOf<T>(list: readonly T[]): T {
  const last = list.at(-1)
  if (last === undefined) throw new Error('the list is empty')
  return last
}
