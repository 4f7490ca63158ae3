/** Photos picked for a deed; null while nobody is picking. */
export type Selection = { ids: ReadonlySet<string>; last: string | null } | null

export const noPhotos: NonNullable<Selection> = { ids: new Set(), last: null }

/** Picks a photo or lets it go; with `range`, everything from the one picked last up to it. `order` is that of the page. */
export function pick(
  selection: NonNullable<Selection>,
  id: string,
  { order, range }: { order: readonly string[]; range: boolean },
): NonNullable<Selection> {
  const ids = new Set(selection.ids)
  const from = range && selection.last !== null ? order.indexOf(selection.last) : -1
  const to = order.indexOf(id)
  if (from >= 0 && to >= 0) {
    for (const other of order.slice(Math.min(from, to), Math.max(from, to) + 1)) ids.add(other)
  } else if (!ids.delete(id)) ids.add(id)
  return { ids, last: id }
}

/** What is left of a selection when some photos are gone. */
export function keepOnly(selection: NonNullable<Selection>, there: ReadonlySet<string>): NonNullable<Selection> {
  const ids = new Set(Array.from(selection.ids).filter((id) => there.has(id)))
  return ids.size === selection.ids.size ? selection : { ...selection, ids }
}
