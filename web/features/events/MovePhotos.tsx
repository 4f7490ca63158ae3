import { useMutation, useQueryClient } from '@tanstack/react-query'
import { FolderInput } from 'lucide-react'
import { useRef, useState } from 'react'
import { createEvent } from '@keepsnap/contract/events.ts'
import { eventNameProblem, normalizeName } from '@keepsnap/contract/form-rules.ts'
import type { BulkOutcome, Photo } from '@keepsnap/contract/photos.ts'
import { refusalMessage } from '../../lib/api-errors.ts'
import { useApi } from '../../lib/app-services.tsx'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { eventMenu, eventMove, events as messages } from '../../messages/en/events.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogForm } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { useToast } from '../../ui/Toasts.tsx'
import { useChangeManyPhotos } from '../photos/photo-changes.ts'
import { EventField } from './EventField.tsx'
import { eventsQuery, useChosenEvent, useEventName, useRefetchEvents } from './events.ts'

type MovedPhoto = Pick<Photo, 'id' | 'event_id'>

interface MoveSelectedProps {
  photos: readonly Photo[]
  /** These photos have left the list. */
  onGone: (ids: readonly string[]) => void
}

/** Moves the selected photos to an event. */
export function MoveSelected({ photos, onGone }: MoveSelectedProps) {
  const text = useText({ eventMove })
  const format = useFormat()
  const [isOpen, setIsOpen] = useState(false)
  const { move, busy, progress } = useMovePhotos(useChosenEvent() ? onGone : undefined)
  return (
    <>
      <Button tone="ghost" disabled={photos.length === 0} busy={busy} onClick={() => setIsOpen(true)}>
        {!busy && <FolderInput className="icon" />}
        {progress ? text.progress(format.count(progress.settled), format.count(progress.total)) : text.open}
      </Button>
      <MoveDialog photos={photos} open={isOpen} onMove={move} onClose={() => setIsOpen(false)} />
    </>
  )
}

/** The event of the photo in the viewer, and moving it. */
export function PhotoEvent({ photo }: { photo: Photo }) {
  const text = useText({ eventMove })
  const nameOf = useEventName()
  const [isOpen, setIsOpen] = useState(false)
  const { move, busy } = useMovePhotos()
  const event = photo.event_id ?? null
  return (
    <div className="viewer__event">
      <p className="small">{event === null ? text.inNone : text.inEvent(nameOf(event))}</p>
      <Button className="viewer__button" tone="ghost" busy={busy} onClick={() => setIsOpen(true)}>
        {!busy && <FolderInput className="icon" />}
        <span>{text.open}</span>
      </Button>
      <MoveDialog photos={[photo]} open={isOpen} onMove={move} onClose={() => setIsOpen(false)} />
    </div>
  )
}

interface DialogProps {
  photos: readonly MovedPhoto[]
  open: boolean
  onMove: (photos: readonly MovedPhoto[], to: string | null, name: string) => void
  onClose: () => void
}

function MoveDialog({ photos, open, onMove, onClose }: DialogProps) {
  const text = useText({ eventMove })
  const format = useFormat()
  return (
    <Dialog open={open} onClose={onClose} title={text.title(photos.length, format.count(photos.length))}>
      <MoveForm photos={photos} onMove={onMove} onClose={onClose} />
    </Dialog>
  )
}

const another = 'another'

function MoveForm({ photos, onMove, onClose }: Omit<DialogProps, 'open'>) {
  const text = useText({ eventMove })
  const { none } = useText({ eventMenu })
  const { names, creation } = useText({ events: messages })
  const nameOf = useEventName()
  const chosen = useChosenEvent()
  const from = photos[0]?.event_id ?? null
  const [to, setTo] = useState<string | null>(chosen !== 'none' && chosen !== from ? (chosen ?? null) : null)
  const [name, setName] = useState('')
  const create = useCreateEvent()
  const newName = normalizeName(name)
  const problem = to === another ? eventNameProblem(newName) : null
  const isThere = photos.every(({ event_id: event = null }) => event === to)
  const finish = (id: string | null, written: string): void => {
    onMove(photos, id, written)
    onClose()
  }
  return (
    <DialogForm
      errors={problem === null ? {} : { name: names[problem] }}
      problem={create.error ? refusalMessage(create.error, creation.failed) : undefined}
      submit={text.confirm}
      disabled={isThere}
      busy={create.isPending}
      onSubmit={() => {
        if (to === another) create.mutate({ name: newName }, { onSuccess: (event) => finish(event.id, event.name) })
        else finish(to, to === null ? none : nameOf(to))
      }}
      onClose={onClose}
    >
      {(shown) => (
        <>
          <EventField
            label={text.to}
            value={to}
            none={none}
            onChange={setTo}
            below={isThere && <p className="small muted">{text.nothing}</p>}
            last={{ value: another, label: text.create }}
          />
          {to === another && (
            <Field
              name="name"
              label={text.name}
              autoComplete="off"
              value={name}
              error={shown['name']}
              onChange={({ target }) => setName(target.value)}
            />
          )}
          <p className="small muted">{text.hint}</p>
        </>
      )}
    </DialogForm>
  )
}

/** Creates an event; with the first one, the account begins to show events. */
export function useCreateEvent() {
  const api = useApi()
  const queryClient = useQueryClient()
  const { queryKey } = eventsQuery(api)
  const refetch = useRefetchEvents()
  return useMutation({
    mutationFn: (body: Parameters<typeof api.call<typeof createEvent>>[1]['body']) => api.call(createEvent, { body }),
    onSuccess(event) {
      queryClient.setQueryData(queryKey, (list) => list && [event, ...list])
      refetch()
    },
  })
}

/** Moves photos; a toast says so and can move each back to where it was. */
function useMovePhotos(onMoved?: (ids: readonly string[]) => void) {
  const text = useText({ eventMove })
  const format = useFormat()
  const toast = useToast()
  const changeMany = useChangeManyPhotos()
  const refetch = useRefetchEvents()
  const [progress, setProgress] = useState<{ settled: number; total: number } | null>(null)
  const isBusy = useRef(false)

  /** Resolves with what became of each photo; those whose state is not known are left out. */
  async function moveTo(to: string | null, ids: readonly string[], onSettled: (count: number) => void) {
    const outcomes = new Map<string, BulkOutcome>()
    await changeMany({
      action: { moveTo: to },
      ids,
      onResults(results) {
        for (const { id, outcome } of results) outcomes.set(id, outcome)
        onSettled(outcomes.size)
      },
    })
    return outcomes
  }
  async function move(photos: readonly MovedPhoto[], to: string | null, name: string): Promise<void> {
    if (isBusy.current) return
    isBusy.current = true
    const total = photos.length
    setProgress({ settled: 0, total })
    const outcomes = await moveTo(
      to,
      photos.map(({ id }) => id),
      (settled) => setProgress({ settled, total }),
    )
    isBusy.current = false
    setProgress(null)
    refetch()
    const moved = photos.filter(({ id }) => outcomes.get(id) === 'done')
    onMoved?.(moved.map(({ id }) => id))
    const count = (outcome: BulkOutcome): number => [...outcomes.values()].filter((one) => one === outcome).length
    const asAsked = moved.length + count('unchanged')
    if (asAsked > 0) {
      const written = format.count(asAsked)
      toast({
        id: 'move',
        text: to === null ? text.movedOut(asAsked, written) : text.moved(asAsked, written, name),
        ...(moved.length > 0 && { action: { label: text.undo, run: () => void moveBack(moved) } }),
      })
    }
    const bad = (sentence: (n: number, written: string) => string, n: number): void => {
      if (n > 0) toast({ text: sentence(n, format.count(n)), tone: 'bad' })
    }
    bad(text.refused, count('refused'))
    bad(text.missing, count('not found'))
    bad(text.failed, total - asAsked - count('refused') - count('not found'))
  }
  async function moveBack(photos: readonly MovedPhoto[]): Promise<void> {
    const places = new Set(photos.map(({ event_id: event = null }) => event))
    let moved = 0
    for (const place of places) {
      const ids = photos.filter(({ event_id: event = null }) => event === place).map(({ id }) => id)
      const outcomes = await moveTo(place, ids, () => {})
      moved += [...outcomes.values()].filter((outcome) => outcome === 'done' || outcome === 'unchanged').length
    }
    refetch()
    if (moved > 0) toast({ id: 'move', text: text.undone(moved, format.count(moved)) })
    const failed = photos.length - moved
    if (failed > 0) toast({ text: text.failed(failed, format.count(failed)), tone: 'bad' })
  }
  return {
    move: (photos: readonly MovedPhoto[], to: string | null, name: string): void => void move(photos, to, name),
    busy: progress !== null,
    progress: progress && progress.total > 1 ? progress : null,
  }
}
