/** The last of a list that has some. */
export function lastOf<T>(list: readonly T[]): T {
  const last = list.at(-1)
  if (last === undefined) throw new Error('the list is empty')
  return last
}
