import { limits } from '@keepsnap/contract/limits.ts'
import { archiveInPreparation, archivePhotos, type Photo } from '@keepsnap/contract/photos.ts'
import type { Input } from '@keepsnap/contract/endpoint.ts'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { ApiError } from '../../lib/api-errors.ts'
import { useApi, useMediaUrl } from '../../lib/app-services.tsx'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { attachmentUrl } from '../../lib/urls.ts'
import { wait } from '../../lib/time.ts'
import { gallery } from '../../messages/en/photos.ts'
import { eventQuery, useChosenEvent } from '../events/events.ts'
import { Button } from '../../ui/Button.tsx'
import { useToast } from '../../ui/Toasts.tsx'

/** Longer than the server reads photos in one call. */
const callTimeoutMs = 30_000
/** Photos of earlier versions are read first, once; gigabytes from a slow store take minutes. */
const maxPreparationMs = 15 * 60_000

/** Downloads the selected photos: one as it is, several as one ZIP file. */
export function DownloadSelected({ photos }: { photos: readonly Photo[] }) {
  const text = useText({ gallery })
  const media = useMediaUrl()
  const toast = useToast()
  const { download, busy } = useArchiveDownload()
  const [first, ...others] = photos.flatMap(({ id, b2_url }) => {
    const url = b2_url && media(b2_url)
    return url ? { id, url: attachmentUrl(url) } : []
  })
  const start = (): void => {
    if (!first) return
    if (others.length === 0) startDownload(first.url)
    else if (others.length < limits.archiveMax) download({ ids: [first, ...others].map(({ id }) => id) })
    else toast({ text: text.archive.tooMany, tone: 'bad' })
  }
  return (
    <Button tone="ghost" disabled={!first} busy={busy} onClick={start}>
      {!busy && <Download className="icon" />}
      {busy ? text.archive.preparing : text.select.download}
    </Button>
  )
}

/** Downloads the photos of an evening as one ZIP file. `day`: of the evening, `yyyy-mm-dd`; `date`: as people write it. */
export function DownloadEvening({ day, date }: { day: string; date: string }) {
  const text = useText({ gallery }).archive
  const { download, busy } = useArchiveDownload()
  const event = eventQuery(useChosenEvent())
  return (
    <Button
      tone="ghost"
      icon
      busy={busy}
      aria-label={text.evening(date)}
      title={text.evening(date)}
      onClick={() => download({ on: day, ...event })}
    >
      {!busy && <Download className="icon" />}
    </Button>
  )
}

/** Asks for a link to a ZIP file and opens it. Goes on when the button disappears, as that of an evening that is scrolled away. */
export function useArchiveDownload(): {
  download: (photos: Input<typeof archivePhotos>['body']) => void
  busy: boolean
} {
  const api = useApi()
  const text = useText({ gallery }).archive
  const format = useFormat()
  const toast = useToast()
  const { mutate, isPending } = useMutation({
    async mutationFn(body: Input<typeof archivePhotos>['body']) {
      for (const deadline = Date.now() + maxPreparationMs; ;) {
        try {
          return await api.call(archivePhotos, { body }, { timeoutMs: callTimeoutMs })
        } catch (error) {
          const isPreparing = error instanceof ApiError && error.detail === archiveInPreparation
          if (!isPreparing || Date.now() > deadline) throw error
          toast({ text: text.preparingHint, id: 'archive' })
          await wait((error.retryAfter ?? 1) * 1_000)
        }
      }
    },
    onSuccess({ url, size_bytes: size }) {
      toast({ text: text.started(format.size(size)), id: 'archive' })
      startDownload(url)
    },
    onError(error) {
      const reason = error instanceof ApiError ? error.explanation : null
      toast({ text: reason ?? text.failed, tone: 'bad', id: 'archive' })
    },
  })
  return { download: mutate, busy: isPending }
}

function startDownload(url: string): void {
  const link = document.createElement('a')
  link.href = url
  // The server names the file.
  link.download = ''
  link.click()
}
