import { sql } from 'kysely'
import {
  createEventCodes,
  type EventCode,
  eventCodeImageFile,
  listEventCodes,
  revokeEventCode,
} from '@keepsnap/contract/event-guests.ts'
import { eventNameMessages, eventNameProblem, normalizeName } from '@keepsnap/contract/form-rules.ts'
import { eventLimits } from '@keepsnap/contract/event-limits.ts'
import type { Dependencies } from '../../dependencies.ts'
import { Fault, invalidField } from '../../faults.ts'
import { newId } from '../../lib/ids.ts'
import { createQrCodeCache } from '../../lib/qr-codes.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { sendQrCode, splitQrCodeName } from '../guests/sharing.ts'
import { eventNotFound, liveEvent } from './chosen-event.ts'
import { inAccount } from './events.ts'
import { galleryOfCode } from './guest-pages.ts'

/** The codes of an event, for its owner, and their pictures. */
export function eventCodeRoutes(serve: Serve, deps: Dependencies): void {
  const { db, mediaCache, urls } = deps
  const drawQrCode = createQrCodeCache()
  const codesOf = async (userId: string, id: string): Promise<{ codes: EventCode[] }> => {
    const rows = await workingCodes(db, id)
      .innerJoin('events', 'events.id', 'event_codes.event_id')
      .where('events.user_id', '=', userId)
      .select(['code', 'kind', 'label', 'event_codes.created_at'])
      .orderBy('kind')
      .orderBy('event_codes.created_at')
      .execute()
    if (rows.length === 0) throw eventNotFound()
    return {
      codes: rows.map(({ code, kind, label, created_at }) => ({
        code,
        kind: kind === 'event' ? 'event' : 'table',
        label,
        url: urls.eventPage(code),
        image_url: urls.eventQr(code),
        created_at: created_at.toISOString(),
      })),
    }
  }

  serve(listEventCodes, ({ params: { id } }, { actor: { userId } }) => codesOf(userId, id))

  serve(createEventCodes, async ({ params: { id }, body: { kind, labels } }, { actor: { userId } }) => {
    if (kind === 'event' && labels) throw invalidField('labels', 'The code of the event itself has no label')
    if (kind === 'table' && !labels) throw invalidField('labels', 'Please give a label for each code, such as Table 7')
    const names = labels?.map((label) => labelOf(label)) ?? ['']
    await inAccount(deps, userId, async (tx) => {
      await liveEvent(tx, userId, id)
      if (kind === 'event') await revoke(tx, id).where('kind', '=', 'event').execute()
      const { count } = await workingCodes(tx, id)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      if (count + names.length > eventLimits.codesMax) throw tooManyCodes()
      await tx
        .insertInto('event_codes')
        .values(names.map((label, at) => ({ code: newId(), event_id: id, kind, label, created_at: momentOf(at) })))
        .execute()
    })
    mediaCache.invalidateUser(userId)
    return codesOf(userId, id)
  })

  serve(revokeEventCode, async ({ params: { id, code } }, { actor: { userId } }) => {
    await inAccount(deps, userId, async (tx) => {
      await liveEvent(tx, userId, id)
      const found = await workingCodes(tx, id).where('code', '=', code).select('kind').executeTakeFirst()
      if (!found) throw new Fault('not_found', 'This code does not exist.')
      if (found.kind === 'event')
        throw new Fault('conflict', 'An event needs a code of its own. Please replace it with a new one instead.')
      await revoke(tx, id).where('code', '=', code).execute()
    })
    mediaCache.invalidateUser(userId)
    return codesOf(userId, id)
  })

  serve(eventCodeImageFile, async ({ params }, call) => {
    const [text, format] = splitQrCodeName(params.code)
    const { code } = await galleryOfCode(deps, text, call.client)
    const picture = drawQrCode(urls.eventPage(code), format)
    await sendQrCode(call, { format, cacheControl: 'private, no-cache', ...picture })
  })
}

const workingCodes = (db: Db, eventId: string) =>
  db.selectFrom('event_codes').where('event_id', '=', eventId).where('revoked_at', 'is', null)

const revoke = (tx: Db, eventId: string) =>
  tx
    .updateTable('event_codes')
    .set({ revoked_at: sql<Date>`now()` })
    .where('event_id', '=', eventId)
    .where('revoked_at', 'is', null)

/** Of codes that are created together, so that they keep their order. */
const momentOf = (at: number) => sql<Date>`now() + make_interval(secs => ${at}::float8 / 1e6)`

const tooManyCodes = (): Fault =>
  new Fault(
    'conflict',
    `An event has at most ${eventLimits.codesMax} codes. Please revoke some of those for tables first.`,
  )

function labelOf(text: string): string {
  const label = normalizeName(text)
  const problem = eventNameProblem(label)
  if (problem) throw invalidField('labels', eventNameMessages[problem])
  return label
}
