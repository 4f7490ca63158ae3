import { sql } from 'kysely'
import { movePhotos } from '@keepsnap/contract/events.ts'
import type { BulkOutcome } from '@keepsnap/contract/photos.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { publish } from '../../platform/live/bus.ts'
import { withdrawUrls } from '../accounts/users.ts'
import { liveEvent } from './chosen-event.ts'
import { gateOf, inAccount } from './events.ts'

/** Moves photos of the caller's to an event, which may be archived, or out of their events. */
export function movePhotosRoutes(serve: Serve, deps: Dependencies): void {
  serve(movePhotos, async ({ body: { ids, event_id: target } }, { actor: { userId } }) =>
    inAccount(deps, userId, async (tx, account) => {
      const to = target === null ? undefined : await liveEvent(tx, userId, target)
      const photos = await moveTo(tx, { userId, ids, target })
      const moved = photos.filter(({ isMoved }) => isMoved)
      if (moved.some((photo) => gateOf(account, photo) !== gateOf(account, to))) await withdrawUrls(tx, userId)
      for (const { id } of moved) await publish(tx, { kind: 'photo', what: 'changed', user: userId, photo: id })
      const byId = new Map(photos.map((photo) => [photo.id, photo]))
      return {
        results: ids.map((id, at) => {
          const photo = byId.get(id)
          return { id, outcome: outcomeOf(photo, ids.indexOf(id) < at), from: photo?.from ?? null }
        }),
      }
    }),
  )
}

interface FoundPhoto {
  id: string
  from: string | null
  ask_email: boolean | null
  isListed: boolean
  isMoved: boolean
}

/** A photo that waits for its review or was rejected stays where it is; one of a deleted event does not exist. */
async function moveTo(
  tx: Db,
  { userId, ids, target }: { userId: string; ids: string[]; target: string | null },
): Promise<FoundPhoto[]> {
  const { rows } = await sql<FoundPhoto>`
    with found as (
      select id, event_id, is_listed from photos
      where id = any(${ids}::text[]) and user_id = ${userId} and deleted_at is null and state <> 'receiving'
      order by id for no key update
    ), moved as (
      update photos set event_id = ${target} from found
      where photos.id = found.id and found.is_listed and found.event_id is distinct from ${target}
      returning photos.id
    )
    select found.id, found.event_id as "from", events.ask_email, found.is_listed as "isListed", moved.id is not null as "isMoved"
    from found left join moved on moved.id = found.id left join events on events.id = found.event_id
    where events.deleted_at is null`.execute(tx)
  return rows
}

function outcomeOf(photo: FoundPhoto | undefined, isRepeated: boolean): BulkOutcome {
  if (!photo) return 'not found'
  if (!photo.isListed) return 'refused'
  return photo.isMoved && !isRepeated ? 'done' : 'unchanged'
}
