import { Ban, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { blockContributor, type ReviewPhoto, unblockContributor } from '@keepsnap/contract/event-photos.ts'
import { refusalMessage } from '../../lib/api-errors.ts'
import { useApi } from '../../lib/app-services.tsx'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { review } from '../../messages/en/event-review.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmAction } from '../../ui/Dialog.tsx'
import { useToast } from '../../ui/Toasts.tsx'
import { useEvent } from './events.ts'
import { reviewKey } from './review-store.ts'

type AddedBy = Pick<ReviewPhoto, 'contributor' | 'table' | 'added_at'>

/** Who added a photo, where and when: `From Lien`, `Table 7, 21:46`, and both in one. */
export function useWho(): (photo: AddedBy) => { who: string; where: string; full: string } {
  const text = useText({ review })
  const format = useFormat()
  const [today] = useState(() => new Date().toDateString())
  return ({ contributor, table, added_at }) => {
    const isToday = new Date(added_at).toDateString() === today
    const who = contributor?.name ? text.from(contributor.name) : text.fromGuest
    const time = isToday ? format.time(added_at) : format.dateTime(added_at)
    const where = !table ? time : `${table}, ${time}`
    return { who, where, full: text.fromWhere(who, where) }
  }
}

interface Props {
  eventId: string
  contributor: NonNullable<ReviewPhoto['contributor']>
}

/** Blocks a contributor with all of their photos, after asking, or ends that. */
export function BlockButton({ eventId, contributor }: Props) {
  const text = useText({ review })
  const format = useFormat()
  const [isAsked, setIsAsked] = useState(false)
  const guestPhotos = useEvent(eventId)?.guest_photos
  const { block, unblock } = useBlock(eventId)
  const { name, photo_count: count } = contributor
  if (contributor.blocked)
    return (
      <Button tone="ghost" busy={unblock.isPending} onClick={() => unblock.mutate(contributor.id)}>
        <Undo2 className="icon" />
        {text.unblock}
      </Button>
    )
  return (
    <>
      <Button tone="ghost" onClick={() => setIsAsked(true)}>
        <Ban className="icon" />
        {text.block.open}
      </Button>
      <ConfirmAction
        open={isAsked}
        title={name ? text.block.title(name) : text.block.titleGuest}
        question={text.block.question(count, format.count(count))}
        details={guestPhotos === 'direct' && <p>{text.block.review}</p>}
        confirm={text.block.confirm}
        action={block}
        input={contributor.id}
        problemOf={(error) => refusalMessage(error, text.block.failed)}
        onClose={() => setIsAsked(false)}
      />
    </>
  )
}

/** Both say what has changed; blocking with Undo. */
function useBlock(eventId: string) {
  const api = useApi()
  const text = useText({ review }).block
  const { undo } = useText({ review })
  const format = useFormat()
  const toast = useToast()
  const queryClient = useQueryClient()
  const onSettled = () => queryClient.invalidateQueries({ queryKey: reviewKey(eventId) })
  const params = (contributor_id: string) => ({ params: { id: eventId, contributor_id } })
  const unblock = useMutation({
    mutationFn: (id: string) => api.call(unblockContributor, params(id)),
    onSuccess: ({ rejected, hidden }) => toast({ text: text.undone(format.count(rejected), format.count(hidden)) }),
    onError: (error) => toast({ text: refusalMessage(error, text.undoFailed), tone: 'bad' }),
    onSettled,
  })
  const block = useMutation({
    mutationFn: (id: string) => api.call(blockContributor, params(id)),
    onSuccess({ rejected, hidden, review_on: isReviewOn }, id) {
      const done = text.done(format.count(rejected), format.count(hidden))
      toast({
        text: isReviewOn ? `${done} ${text.reviewOn}` : done,
        action: { label: undo, run: () => unblock.mutate(id) },
      })
    },
    onSettled,
  })
  return { block, unblock }
}
