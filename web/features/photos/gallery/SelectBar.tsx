import type { Photo } from '@keepsnap/contract/photos.ts'
import { Download, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useText } from '../../../lib/i18n.tsx'
import { useMediaUrl } from '../../../lib/parts.tsx'
import { gallery } from '../../../messages/en/gallery.ts'
import { Button } from '../../../ui/Button.tsx'
import { Confirm } from '../../../ui/Confirm.tsx'
import { Note } from '../../../ui/Note.tsx'
import { useDeletePhoto } from '../changes.ts'

interface Props {
  photos: readonly Photo[]
  onDone: () => void
}

/** Downloads and deletes what is picked; stays at the bottom of the window. */
export function SelectBar({ photos, onDone }: Props) {
  const text = useText({ gallery })
  const media = useMediaUrl()
  const [asking, ask] = useState(false)
  const { removeAll, busy, failed } = useRemoveAll()
  const addresses = photos.flatMap(({ b2_url }) => (b2_url && media(b2_url)) ?? [])
  const count = photos.length
  const remove = async (): Promise<void> => {
    await removeAll(photos.map(({ id }) => id))
    ask(false)
  }
  return (
    <section className="picks" aria-label={text.select.label}>
      {failed > 0 && <Note tone="bad">{text.errors.removeSome(failed)}</Note>}
      <div className="picks__bar">
        <output className="picks__count num">{count > 0 ? text.select.count(count) : text.select.hint}</output>
        <Button tone="ghost" disabled={addresses.length === 0} onClick={() => void saveAll(addresses)}>
          <Download className="i" />
          {text.select.download}
        </Button>
        <Button tone="danger" disabled={count === 0} onClick={() => ask(true)}>
          <Trash2 className="i" />
          {text.select.remove}
        </Button>
        <Button onClick={onDone}>{text.select.stop}</Button>
      </div>
      <Confirm
        open={asking}
        title={count === 1 ? text.sure.title : text.sure.titleMany(count)}
        question={count === 1 ? text.sure.question : text.sure.questionMany(count)}
        confirm={text.sure.confirm}
        busy={busy}
        onConfirm={() => void remove()}
        onClose={() => ask(false)}
      />
    </section>
  )
}

const atOnce = 3

/** Deletes photos, a few at a time. `failed` counts those that are still there. */
function useRemoveAll() {
  const { mutateAsync } = useDeletePhoto()
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState(0)
  const removeAll = async (ids: readonly string[]): Promise<void> => {
    setBusy(true)
    const waiting = [...ids]
    let left = 0
    const work = async (): Promise<void> => {
      for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
        try {
          await mutateAsync(id)
        } catch {
          left += 1
        }
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    setFailed(left)
    setBusy(false)
  }
  return { removeAll, busy, failed }
}

/** Browsers drop downloads that are asked for in one instant. */
const apartMs = 400

async function saveAll(addresses: readonly string[]): Promise<void> {
  for (const address of addresses) {
    const link = document.createElement('a')
    link.href = address
    // The server names the file.
    link.download = ''
    link.target = '_blank'
    link.rel = 'noopener'
    link.click()
    await new Promise((done) => setTimeout(done, apartMs))
  }
}
