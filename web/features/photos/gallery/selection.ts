/** The selected photos; null while the user is not selecting. */
export type Selection = { ids: ReadonlySet<string>; lastId: string | null } | null

export const emptySelection: NonNullable<Selection> = { ids: new Set(), lastId: null }

/**
 * Selects or deselects a photo. With `range`, selects all photos from the last one to this one; `order` holds the ids
 * as shown on the page.
 */
export function toggleSelected(
  selection: NonNullable<Selection>,
  id: string,
  { order, range }: { order: readonly string[]; range: boolean },
): NonNullable<Selection> {
  const ids = new Set(selection.ids)
  const from = range && selection.lastId !== null ? order.indexOf(selection.lastId) : -1
  const to = order.indexOf(id)
  if (from >= 0 && to >= 0) {
    for (const other of order.slice(Math.min(from, to), Math.max(from, to) + 1)) ids.add(other)
  } else if (!ids.delete(id)) ids.add(id)
  return { ids, lastId: id }
}

/** The selection without photos that no longer exist. */
export function withoutDeleted(
  selection: NonNullable<Selection>,
  existing: ReadonlySet<string>,
): NonNullable<Selection> {
  const ids = new Set(Array.from(selection.ids).filter((id) => existing.has(id)))
  return ids.size === selection.ids.size ? selection : { ...selection, ids }
}
