import { Check } from 'lucide-react'
import { createContext, type Dispatch, type SetStateAction, use, useState } from 'react'
import { listPhotos, type Photo } from '@keepsnap/contract/photos.ts'
import { limits } from '@keepsnap/contract/limits.ts'
import type { Api } from '../../lib/api.ts'
import { useApi } from '../../lib/app-services.tsx'
import { refusalMessage } from '../../lib/api-errors.ts'
import { useText } from '../../lib/i18n.tsx'
import { gallery } from '../../messages/en/photos.ts'
import { Button } from '../../ui/Button.tsx'
import { useToast } from '../../ui/Toasts.tsx'
import { isNewer } from './photo-state.ts'

export interface SelectedPhotos {
  /** By id. Some may not be in the loaded list. */
  photos: ReadonlyMap<string, Photo>
  /** Where a range begins: the photo that was selected or deselected last. */
  anchorId: string | null
  /** What the last range has added; the next one from the same photo replaces it. */
  rangeIds: readonly string[]
  /** Evenings that were selected as a whole, with the ids of their photos. */
  evenings: ReadonlyMap<string, readonly string[]>
}
/** The selected photos; null while the user is not selecting. */
export type Selection = SelectedPhotos | null

export const emptySelection: SelectedPhotos = { photos: new Map(), anchorId: null, rangeIds: [], evenings: new Map() }

/** Selects a photo, or deselects it. `loaded`: the photos as shown on the page. */
export function toggleSelected(selection: SelectedPhotos, id: string, loaded: readonly Photo[]): SelectedPhotos {
  const photos = new Map(selection.photos)
  const photo = loaded.find((other) => other.id === id)
  if (!photos.delete(id) && photo) photos.set(id, photo)
  return { ...selection, photos, anchorId: id, rangeIds: [] }
}

/** Selects all photos from the last one that was toggled to this one, instead of the range that was selected from there before. */
export function selectRange(selection: SelectedPhotos, id: string, loaded: readonly Photo[]): SelectedPhotos {
  const { anchorId, rangeIds } = selection
  const from = loaded.findIndex((photo) => photo.id === anchorId)
  const to = loaded.findIndex((photo) => photo.id === id)
  if (to < 0) return selection
  if (from < 0) return withPhotos({ ...selection, anchorId: id, rangeIds: [] }, [loaded[to]!])
  const photos = new Map(selection.photos)
  for (const other of rangeIds) photos.delete(other)
  const added = loaded.slice(Math.min(from, to), Math.max(from, to) + 1).filter((photo) => !photos.has(photo.id))
  for (const photo of added) photos.set(photo.id, photo)
  return { ...selection, photos, rangeIds: added.map((photo) => photo.id) }
}

export function withPhotos(selection: SelectedPhotos, added: readonly Photo[]): SelectedPhotos {
  return { ...selection, photos: new Map([...selection.photos, ...added.map((photo) => [photo.id, photo] as const)]) }
}

export function withoutPhotos(selection: SelectedPhotos, ids: Iterable<string>): SelectedPhotos {
  const photos = new Map(selection.photos)
  for (const id of ids) photos.delete(id)
  return photos.size === selection.photos.size ? selection : { ...selection, photos }
}

/** Which photos are loaded: all from the first to the last one of the list. */
export interface Loaded {
  photos: readonly Photo[]
  /** There are photos before or after the list. */
  hasNewer: boolean
  hasOlder: boolean
}

/** The selection with its photos as they are loaded now, and without those that the list has no longer. */
export function refreshed(selection: SelectedPhotos, { photos, hasNewer, hasOlder }: Loaded): SelectedPhotos {
  const loadedById = new Map(photos.map((photo) => [photo.id, photo]))
  const [newest, oldest] = [photos[0], photos.at(-1)]
  const mayExist = (photo: Photo): boolean =>
    (hasNewer && (!newest || isNewer(photo, newest))) || (hasOlder && (!oldest || isNewer(oldest, photo)))
  const now = new Map<string, Photo>()
  let isSame = true
  for (const [id, photo] of selection.photos) {
    const current = loadedById.get(id) ?? (mayExist(photo) ? photo : null)
    if (current) now.set(id, current)
    isSame &&= current === photo
  }
  return isSame ? selection : { ...selection, photos: now }
}

export const SelectionContext = createContext<{
  selection: Selection
  setSelection: Dispatch<SetStateAction<Selection>>
} | null>(null)

interface Props {
  /** `yyyy-mm-dd` */
  evening: string
  /** The same as users read it. */
  day: string
}

/** Selects all photos of an evening, also those that are not loaded; pressed again, deselects them. */
export function EveningSelect({ evening, day }: Props) {
  const text = useText({ gallery }).select
  const api = useApi()
  const toast = useToast()
  const [busy, setBusy] = useState(false)
  const state = use(SelectionContext)
  if (!state) return null
  const { selection, setSelection } = state
  // As a whole, and no photo of it was deselected since.
  const isSelected = selection?.evenings.get(evening)?.every((id) => selection.photos.has(id)) === true
  const toggle = async (): Promise<void> => {
    if (isSelected) return setSelection((now) => now && withoutPhotos(now, now.evenings.get(evening) ?? []))
    setBusy(true)
    try {
      const photos = await photosOfEvening(api, evening)
      setSelection((now) => {
        const selected = withPhotos(now ?? emptySelection, photos)
        return { ...selected, evenings: new Map([...selected.evenings, [evening, photos.map(({ id }) => id)]]) }
      })
    } catch (error) {
      toast({ text: refusalMessage(error, text.eveningFailed), tone: 'bad' })
    }
    setBusy(false)
  }
  return (
    <Button
      tone="ghost"
      busy={busy}
      aria-pressed={isSelected}
      aria-label={text.evening(day)}
      onClick={() => void toggle()}
    >
      {!busy && <Check className="icon" />}
      {text.start}
    </Button>
  )
}

async function photosOfEvening(api: Api, evening: string): Promise<Photo[]> {
  const photos: Photo[] = []
  let before: string | null = null
  do {
    const query: { on: string; limit: number; before?: string } = { on: evening, limit: limits.listMax }
    if (before !== null) query.before = before
    const { reply, headers } = await api.send(listPhotos, { query })
    photos.push(...reply)
    before = reply.length > 0 ? headers.get('x-next-before') : null
  } while (before !== null)
  return photos
}
