import { limits } from '@keepsnap/contract/limits.ts'
import { listPhotos, type Photo } from '@keepsnap/contract/photos.ts'
import { Check } from 'lucide-react'
import { createContext, use, useState, type Dispatch, type SetStateAction } from 'react'
import type { Api } from '../../../lib/api.ts'
import { useApi } from '../../../lib/app-services.tsx'
import { refusalMessage } from '../../../lib/error-message.ts'
import { useText } from '../../../lib/i18n.tsx'
import { gallery } from '../../../messages/en/gallery.ts'
import { Button } from '../../../ui/Button.tsx'
import { useToast } from '../../../ui/Toasts.tsx'
import { emptySelection, hasEvening, withEvening, withoutPhotos, type Selection } from './selection.ts'

interface SelectionState {
  selection: Selection
  setSelection: Dispatch<SetStateAction<Selection>>
}
export const SelectionContext = createContext<SelectionState | null>(null)

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
  const isSelected = selection !== null && hasEvening(selection, evening)
  const toggle = async (): Promise<void> => {
    if (isSelected) return setSelection((now) => now && withoutPhotos(now, now.evenings.get(evening) ?? []))
    setBusy(true)
    try {
      const photos = await photosOfEvening(api, evening)
      setSelection((now) => withEvening(now ?? emptySelection, evening, photos))
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
