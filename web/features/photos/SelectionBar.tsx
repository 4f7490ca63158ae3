import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react'
import { Eye, EyeOff, Trash2 } from 'lucide-react'
import type { BulkOutcome, Photo } from '@keepsnap/contract/photos.ts'
import { errorMessage } from '../../lib/api-errors.ts'
import { useCurrentUser } from '../../lib/app-services.tsx'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { beforeReloadEvent } from '../../lib/reload.ts'
import { gallery } from '../../messages/en/photos.ts'
import { states } from '../../messages/en/frame.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog, Dialog } from '../../ui/Dialog.tsx'
import { Note } from '../../ui/Note.tsx'
import { useToast } from '../../ui/Toasts.tsx'
import { hasEvents } from '../events/events.ts'
import { type BulkEnd, useChangeManyPhotos, useHidePhotos } from './photo-changes.ts'
import { isHiddenByOperator } from './photo-state.ts'
import { DownloadSelected } from './DownloadPhotos.tsx'

const MoveSelected = lazy(async () => ({ default: (await import('../events/MovePhotos.tsx')).MoveSelected }))

interface DeleteSelectedProps {
  ids: readonly string[]
  open: boolean
  /** These photos do not exist any more. */
  onGone: (ids: readonly string[]) => void
  onClose: () => void
}

/** What has become of the photos whose deletion was confirmed. */
interface Deletion {
  total: number
  gone: number
  refused: number
  failed: number
  isWaiting: boolean
  isStopping: boolean
  /** Null while it works. */
  end: BulkEnd | null
}

/** Asks before the selected photos are deleted, then shows how far it is, and can be stopped. */
function DeleteSelected({ ids, open, onGone, onClose }: DeleteSelectedProps) {
  const text = useText({ gallery })
  const { deletion, start, stop, reset } = useDeletion(onGone, onClose)
  const count = ids.length
  const written = useFormat().count(count)
  if (deletion) return <DeletionDialog deletion={deletion} onStop={stop} onClose={reset} />
  return (
    <ConfirmDialog
      open={open}
      title={count === 1 ? text.confirmDelete.title : text.confirmDelete.titleMany(count, written)}
      question={count === 1 ? text.confirmDelete.question : text.confirmDelete.questionMany(count, written)}
      confirm={text.confirmDelete.confirm}
      onConfirm={() => void start(ids)}
      onClose={onClose}
    />
  )
}

/** The page is left while photos are being deleted. */
const left = 'left'

function useDeletion(onGone: DeleteSelectedProps['onGone'], onClose: () => void) {
  const text = useText({ gallery }).deletion
  const format = useFormat()
  const toast = useToast()
  const changeMany = useChangeManyPhotos()
  const [deletion, setDeletion] = useState<Deletion | null>(null)
  const stopping = useRef<AbortController>(null)
  useEffect(() => () => stopping.current?.abort(left), [])
  useAskBeforeLeaving(deletion !== null && deletion.end === null)

  const start = async (ids: readonly string[]): Promise<void> => {
    const stop = new AbortController()
    stopping.current = stop
    const { length: total } = ids
    let now: Deletion = { total, gone: 0, refused: 0, failed: 0, isWaiting: false, isStopping: false, end: null }
    const show = (change: Partial<Deletion>): void => {
      now = { ...now, ...change, isStopping: stop.signal.aborted }
      setDeletion(now)
    }
    show({})
    stop.signal.addEventListener('abort', () => show({}))
    const end = await changeMany({
      action: 'delete',
      ids,
      stop: stop.signal,
      onResults(results) {
        const withOutcome = (...outcomes: BulkOutcome[]): string[] =>
          results.filter(({ outcome }) => outcomes.includes(outcome)).map(({ id }) => id)
        const gone = withOutcome('done', 'not found')
        onGone(gone)
        show({
          gone: now.gone + gone.length,
          refused: now.refused + withOutcome('refused').length,
          failed: now.failed + withOutcome('failed').length,
        })
      },
      onWaiting: (isWaiting) => show({ isWaiting }),
    })
    stopping.current = null
    const { gone } = now
    const told = text.gone(gone, format.count(gone))
    if (gone === total) {
      toast({ text: told })
      setDeletion(null)
      onClose()
    } else {
      show({ end, isWaiting: false })
      if (stop.signal.reason === left)
        toast({ text: `${text.stopped}. ${told} ${text.left(total - gone, format.count(total - gone))}`, tone: 'bad' })
    }
  }
  return {
    deletion,
    start,
    stop: () => stopping.current?.abort(),
    reset() {
      setDeletion(null)
      onClose()
    },
  }
}

function useAskBeforeLeaving(isActive: boolean): void {
  useEffect(() => {
    if (!isActive) return
    const prevent = (event: Event): void => event.preventDefault()
    const events = ['beforeunload', beforeReloadEvent]
    for (const event of events) window.addEventListener(event, prevent)
    return () => {
      for (const event of events) window.removeEventListener(event, prevent)
    }
  }, [isActive])
}

interface DialogProps {
  deletion: Deletion
  onStop: () => void
  onClose: () => void
}

function DeletionDialog({ deletion, onStop, onClose }: DialogProps) {
  const { deletion: text, errors } = useText({ gallery })
  const { close } = useText({ states })
  const format = useFormat()
  const id = useId()
  const { total, gone, refused, failed, isWaiting, isStopping, end } = deletion
  const settled = gone + refused + failed
  const progress = text.progress(format.count(settled), format.count(total))
  const rest = total - gone - (end?.unknown.length ?? 0)
  return (
    <Dialog
      role="alertdialog"
      open
      onClose={end ? onClose : onStop}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-what`}
    >
      <h2 id={`${id}-title`} className="tabular-numbers">
        {end ? (isStopping ? text.stopped : text.incomplete) : progress}
      </h2>
      <div id={`${id}-what`} className="stack dialog__question">
        {!end && <progress className="progress-bar" aria-label={progress} max={total} value={settled} />}
        {!end && <p className="small muted">{text.leaving}</p>}
        {isWaiting && <Note tone="warn">{text.waiting}</Note>}
        {/* Always here: screen readers announce what appears in it. */}
        <output className="deletion-outcome">
          {end && (
            <span className="tabular-numbers">
              {text.gone(gone, format.count(gone))} {rest > 0 && text.left(rest, format.count(rest))}
            </span>
          )}
          {end && refused > 0 && <span>{text.refused(refused, format.count(refused))}</span>}
          {end && failed > 0 && <span>{errors.removeSome(failed)}</span>}
          {end && end.unknown.length > 0 && (
            <span>{text.unknown(end.unknown.length, format.count(end.unknown.length))}</span>
          )}
          {end && end.error !== null && <span>{errorMessage(end.error, errors.removeSome(rest))}</span>}
        </output>
      </div>
      <div className="dialog__actions">
        <Button busy={isStopping && !end} onClick={end ? onClose : onStop}>
          {end ? close : isStopping ? text.stopping : text.stop}
        </Button>
      </div>
    </Dialog>
  )
}

interface Props {
  photos: readonly Photo[]
  /** These photos do not exist any more, or not in this list. */
  onGone: (ids: readonly string[]) => void
  onDone: () => void
}

export function SelectionBar({ photos, onGone, onDone }: Props) {
  const text = useText({ gallery })
  const format = useFormat()
  const { user } = useCurrentUser()
  const [deleteOpen, setDeleteOpen] = useState(false)
  const bar = useRef<HTMLElement>(null)
  const count = photos.length
  const onMovedAway = (ids: readonly string[]): void => {
    // The button that has the focus may be disabled now.
    if (bar.current?.contains(document.activeElement)) bar.current.focus({ preventScroll: true })
    onGone(ids)
  }
  return (
    <section className="selection-bar" aria-label={text.select.label} tabIndex={-1} ref={bar}>
      <div className="selection-bar__tools">
        <output className="selection-bar__count tabular-numbers">
          {count > 0 ? text.select.count(count, format.count(count)) : text.select.hint}
        </output>
        <DownloadSelected photos={photos} />
        <HideButton photos={photos} />
        {hasEvents(user) && (
          <Suspense>
            <MoveSelected photos={photos} onGone={onMovedAway} />
          </Suspense>
        )}
        <Button tone="danger" disabled={count === 0} onClick={() => setDeleteOpen(true)}>
          <Trash2 className="icon" />
          {text.select.remove}
        </Button>
        <Button onClick={onDone}>{text.select.stop}</Button>
      </div>
      <DeleteSelected
        ids={photos.map(({ id }) => id)}
        open={deleteOpen}
        onGone={onGone}
        onClose={() => setDeleteOpen(false)}
      />
    </section>
  )
}

/** Hides what is visible; when all selected photos are hidden already, shows them again, but for those that an operator hid. */
function HideButton({ photos }: Pick<Props, 'photos'>) {
  const text = useText({ gallery }).select
  const format = useFormat()
  const { setHidden, busy, progress } = useHidePhotos()
  const visiblePhotos = photos.filter(({ hidden }) => !hidden)
  const hiddenPhotos = photos.filter((photo) => photo.hidden && !isHiddenByOperator(photo))
  const shows = hiddenPhotos.length > 0 && visiblePhotos.length === 0
  const Icon = shows ? Eye : EyeOff
  return (
    <Button
      tone="ghost"
      disabled={visiblePhotos.length === 0 && !shows}
      busy={busy}
      onClick={() => void setHidden(shows ? hiddenPhotos : visiblePhotos, !shows)}
    >
      {!busy && <Icon className="icon" />}
      {progress
        ? text.progress(format.count(progress.settled), format.count(progress.total))
        : shows
          ? text.show
          : text.hide}
    </Button>
  )
}
