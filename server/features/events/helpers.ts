import { type RawBuilder, sql } from 'kysely'
import {
  allowHelperDevice,
  beginHelping,
  createHelper,
  endHelper,
  endHelpers,
  type Helper,
  helperDecide,
  helperHide,
  helperHold,
  type HelperPhoto,
  helperReview,
  type HelperWithLink,
  listAllHelpers,
  listHelpers,
  removeHelper,
  renewHelperLink,
  undoHelper,
} from '@keepsnap/contract/event-helpers.ts'
import { eventLimits } from '@keepsnap/contract/event-limits.ts'
import type { ReviewState } from '@keepsnap/contract/event-photos.ts'
import { contributorNameMessages, contributorNameProblem, normalizeName } from '@keepsnap/contract/form-rules.ts'
import { limits } from '@keepsnap/contract/limits.ts'
import type { PhotoHold } from '@keepsnap/contract/screen.ts'
import type { Dependencies } from '../../dependencies.ts'
import { Fault, invalidField, unauthorized } from '../../faults.ts'
import { hashOf, isSecret, newId, newSecret } from '../../lib/ids.ts'
import { encodeQrCode, qrCodeSvg } from '../../lib/qr-codes.ts'
import type { Db } from '../../platform/db/connect.ts'
import { countRateHit } from '../../platform/http/rate-limits.ts'
import { cookieSecretOf, setSecretCookie } from '../../platform/http/secret-cookies.ts'
import type { Call, Serve } from '../../platform/http/serve.ts'
import { publish } from '../../platform/live/bus.ts'
import { confirmNewAccess } from '../accounts/passwords.ts'
import { recordHelperActions } from '../operators/audit-log.ts'
import { eveningStart, timeZoneOf } from '../photos/gallery.ts'
import { lockUser } from '../plans/plans.ts'
import { holdOf, releaseHoldOf, setHold } from '../screen/holds.ts'
import { eventOf, liveEvent } from './chosen-event.ts'
import { addingOf, waitingCount } from './guest-counts.ts'
import { decide, idsOf, isOfBlocked, publishAll, refuseSameState, reviewRows, reviewView } from './review.ts'

/** Whether a link works: of `helpers`, with its event. */
export const isHelperOpen: RawBuilder<boolean> = sql<boolean>`(
  helpers.revoked_at is null and helpers.expires_at > now() and events.deleted_at is null)`

const helperNotFound = (): Fault => new Fault('not_found', 'This helper does not exist or was removed.')

// The owner's calls

interface HelperOfEvent {
  userId: string
  eventId: string
  helperId: string
}

/**
 * Helpers of an event, for its owner. They are created as API keys are, since they outlive the session. Each change locks the account's
 * row first, as every act of a helper does: what is ended has no effect afterwards.
 */
export function helperOwnerRoutes(serve: Serve, deps: Dependencies): void {
  const { db, config, mediaCache, urls } = deps

  serve(listHelpers, async ({ params: { id } }, { actor: { userId } }) => {
    await eventOf(db, userId, id)
    return { helpers: await helpersOf(db, userId, sql`events.id = ${id}`) }
  })
  serve(listAllHelpers, async (_, { actor: { userId } }) => ({ helpers: await helpersOf(db, userId, isHelperOpen) }))

  /** Runs in the account's lock; `write` stores what gives access to whoever has the link, which the owner is told of. */
  const withLink = async (
    actor: { userId: string; sessionHash: Buffer },
    of: HelperOfEvent,
    write: (tx: Db, secretHash: Buffer) => Promise<string>,
  ): Promise<HelperWithLink> => {
    const { userId, eventId, helperId } = of
    const secret = newSecret()
    await db.transaction().execute(async (tx) => {
      if (!(await lockUser(tx, userId))) throw unauthorized()
      await liveEvent(tx, userId, eventId)
      const name = await write(tx, hashOf(secret))
      await publish(tx, { kind: 'events', user: userId })
      await confirmNewAccess(tx, actor, config, { kind: 'helper-created', name })
    })
    const link = urls.helperPage(secret)
    return { helper: await oneHelper(db, { userId, eventId, helperId }), link, qr_svg: qrCodeSvg(encodeQrCode(link)) }
  }

  serve(createHelper, ({ params: { id: eventId }, body }, { actor }) => {
    const name = normalizeName(body.name)
    const problem = contributorNameProblem(name)
    if (problem) throw invalidField('name', contributorNameMessages[problem])
    const { userId } = actor
    const id = newId()
    return withLink(actor, { userId, eventId, helperId: id }, async (tx, secretHash) => {
      const { count } = await tx
        .selectFrom('helpers')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('event_id', '=', eventId)
        .executeTakeFirstOrThrow()
      if (count >= eventLimits.helpersMax)
        throw new Fault(
          'conflict',
          `An event has at most ${eventLimits.helpersMax} helpers. Please remove one that has ended first.`,
        )
      const end = eveningStart(sql`(coalesce(ends_on, starts_on) + 2)`, await timeZoneOf(tx, userId))
      await sql`
        insert into helpers (id, event_id, name, secret_hash, expires_at)
        select ${id}, id, ${name}, ${secretHash},
          case when ${end} > now() then ${end} else now() + make_interval(hours => ${eventLimits.helperHours}) end
        from events where id = ${eventId}`.execute(tx)
      return name
    })
  })

  serve(renewHelperLink, ({ params: { id: eventId, helper_id: helperId } }, { actor }) =>
    withLink(actor, { userId: actor.userId, eventId, helperId }, async (tx, secretHash) => {
      const { rows } = await sql<{ name: string }>`
        update helpers set secret_hash = ${secretHash}, device_hash = null, begun_at = null, asking_hash = null, asked_at = null
        from events where events.id = event_id and events.id = ${eventId} and helpers.id = ${helperId} and ${isHelperOpen}
        returning helpers.name`.execute(tx)
      const [helper] = rows
      if (!helper) throw ((await isHelper(tx, { eventId, helperId })) ? helperEnded : helperNotFound)()
      return helper.name
    }),
  )

  /** Changes the helpers of an account that are meant; how many. */
  const change = async (userId: string, apply: (tx: Db) => RawBuilder<unknown>): Promise<number> => {
    const changed = await db.transaction().execute(async (tx) => {
      if (!(await lockUser(tx, userId))) throw unauthorized()
      const { numAffectedRows } = await apply(tx).execute(tx)
      await publish(tx, { kind: 'events', user: userId })
      return Number(numAffectedRows ?? 0)
    })
    mediaCache.invalidateUser(userId)
    return changed
  }
  const isOf = ({ userId, eventId, helperId }: HelperOfEvent) =>
    sql`events.id = helpers.event_id and events.user_id = ${userId} and events.id = ${eventId} and helpers.id = ${helperId}`
  const end = sql`update helpers set revoked_at = coalesce(revoked_at, now()), asking_hash = null, asked_at = null from events`

  serve(allowHelperDevice, async ({ params: { id: eventId, helper_id: helperId }, body }, { actor: { userId } }) => {
    const of = { userId, eventId, helperId }
    const moved = await change(
      userId,
      () => sql`
        update helpers set device_hash = asking_hash, begun_at = now(), asking_hash = null, asked_at = null
        from events where ${isOf(of)} and asking_hash is not null and ${isHelperOpen}
          and abs(extract(epoch from asked_at) * 1000 - ${Date.parse(body.asked_at)}) < 1`,
    )
    const helper = await oneHelper(db, of)
    if (moved === 0)
      throw new Fault(
        'conflict',
        helper.asked_at !== null
          ? 'Another device has asked since. Please ask your helper when, and allow it then.'
          : 'No other device asks to be used by this helper.',
      )
    return helper
  })
  serve(endHelper, async ({ params: { id: eventId, helper_id: helperId } }, { actor: { userId } }) => {
    const of = { userId, eventId, helperId }
    await change(userId, () => sql`${end} where ${isOf(of)}`)
    return oneHelper(db, of)
  })
  serve(removeHelper, async ({ params: { id: eventId, helper_id: helperId } }, { actor: { userId } }) => {
    const isMeant = isOf({ userId, eventId, helperId })
    if ((await change(userId, () => sql`delete from helpers using events where ${isMeant}`)) === 0)
      throw helperNotFound()
    return null
  })
  serve(endHelpers, async ({ body: { ids } }, { actor: { userId } }) => {
    await change(
      userId,
      () => sql`${end} where events.id = event_id and user_id = ${userId} and helpers.id = any(${ids}::text[])`,
    )
    return null
  })

  serve(undoHelper, async ({ params: { id: eventId, helper_id: helperId } }, { actor: { userId } }) => {
    const counts = await db.transaction().execute(async (tx) => {
      if (!(await lockUser(tx, userId))) throw unauthorized()
      await liveEvent(tx, userId, eventId)
      if (!(await isHelper(tx, { eventId, helperId }))) throw helperNotFound()
      return undo(tx, { userId, eventId, helperId })
    })
    mediaCache.invalidateUser(userId)
    return { ...counts, waiting_count: await waitingCount(db, eventId) }
  })
}

const helperEnded = (): Fault =>
  new Fault('conflict', 'The link of this helper works no longer. Please add a new helper instead.')

const isHelper = async (db: Db, { eventId, helperId }: { eventId: string; helperId: string }): Promise<boolean> =>
  (await db
    .selectFrom('helpers')
    .select('id')
    .where('id', '=', helperId)
    .where('event_id', '=', eventId)
    .executeTakeFirst()) !== undefined

/** Takes back what a helper decided or hid last, save for photos of who is blocked. The account is locked, so nobody decides meanwhile. */
async function undo(tx: Db, { userId, eventId, helperId }: HelperOfEvent): Promise<{ waiting: number; shown: number }> {
  let waiting = 0
  for (const from of ['approved', 'rejected'] as const) {
    const ids = await idsOf(
      tx,
      sql`select id from photos where reviewed_by = ${helperId} and reviewed_by <> 'owner' and event_id = ${eventId}
        and review = ${from} and state = 'ready' and deleted_at is null and not ${isOfBlocked} order by id`,
    )
    for (let at = 0; at < ids.length; at += limits.bulkMax) {
      const part = ids.slice(at, at + limits.bulkMax)
      const { results } = await decide(tx, { userId, eventId, by: 'owner', ids: part, from, to: 'waiting' })
      waiting += results.filter(({ outcome }) => outcome === 'done').length
    }
  }
  // In the order of their ids, as everybody locks them.
  const shown = await idsOf(
    tx,
    sql`with chosen as (
        select id from photos where hidden_by = ${helperId} and event_id = ${eventId} and hidden_at is not null and deleted_at is null
          and not ${isOfBlocked}
        order by id for no key update)
      update photos set hidden_at = null from chosen where photos.id = chosen.id returning photos.id`,
  )
  await publishChanged(tx, { userId, eventId, photos: shown })
  await publish(tx, { kind: 'events', user: userId })
  return { waiting, shown: shown.length }
}

async function publishChanged(
  tx: Db,
  { userId: user, eventId: event, photos }: { userId: string; eventId: string; photos: readonly string[] },
): Promise<void> {
  for (let at = 0; at < photos.length; at += limits.bulkMax)
    await publishAll(tx, photos.slice(at, at + limits.bulkMax), (photo) => ({
      kind: 'photo',
      what: 'changed',
      user,
      photo,
    }))
  await publish(tx, { kind: 'review', user, event })
}

interface HelperRow extends Pick<Helper, 'id' | 'event_id' | 'event_name' | 'name'> {
  is_open: boolean
  created_at: Date
  expires_at: Date
  begun_at: Date | null
  asked_at: Date | null
  last_seen_at: Date | null
  approved: number
  rejected: number
  hidden: number
}

/** Those of an account that are meant, newest first. */
async function helpersOf(db: Db, userId: string, isMeant: RawBuilder<unknown>): Promise<Helper[]> {
  const { rows } = await sql<HelperRow>`
    select helpers.id, event_id, events.name as event_name, helpers.name, ${isHelperOpen} as is_open, helpers.created_at, expires_at,
      begun_at, asked_at, last_seen_at, approved, rejected, hidden
    from helpers join events on events.id = event_id
      cross join lateral (
        select (count(*) filter (where review = 'approved'))::int as approved,
          (count(*) filter (where review = 'rejected'))::int as rejected
        from photos where reviewed_by = helpers.id and reviewed_by <> 'owner' and photos.event_id = helpers.event_id
          and deleted_at is null) as decided
      cross join lateral (
        select count(*)::int as hidden from photos where hidden_by = helpers.id and hidden_at is not null
          and photos.event_id = helpers.event_id and deleted_at is null) as hid
    where events.user_id = ${userId} and ${isMeant}
    order by helpers.created_at desc, helpers.id limit ${eventLimits.helpersListed}`.execute(db)
  return rows.map(({ is_open: isOpen, created_at, expires_at, begun_at, asked_at, last_seen_at, ...helper }) => ({
    ...helper,
    state: !isOpen ? 'ended' : asked_at ? 'asks' : begun_at ? 'begun' : 'new',
    created_at: created_at.toISOString(),
    expires_at: expires_at.toISOString(),
    begun_at: begun_at?.toISOString() ?? null,
    asked_at: asked_at?.toISOString() ?? null,
    last_seen_at: last_seen_at?.toISOString() ?? null,
  }))
}

async function oneHelper(db: Db, { userId, eventId, helperId }: HelperOfEvent): Promise<Helper> {
  const [helper] = await helpersOf(db, userId, sql`events.id = ${eventId} and helpers.id = ${helperId}`)
  if (!helper) throw helperNotFound()
  return helper
}

// The helper's calls

const helperCookie = 'helper'
/** What photos are called for one helper, who never learns an id: that would open the photo's own page, with the file in full. */
const tokensOf = ({ tokens }: Dependencies, helperId: string) => {
  const encryption = tokens.galleryPhotos(`helper ${helperId}`)
  return {
    of: encryption.encrypt,
    /** Of an unknown token, a text that is no photo's id. */
    idOf: (token: string): string => encryption.decrypt(token) ?? '',
  }
}
const linkGone = (): Fault => new Fault('not_found', 'This link does not exist or works no longer.')
const otherDevice = (): Fault =>
  new Fault('forbidden', 'This link is used on another device. Please ask the host to allow this one.')

interface OpenHelper {
  id: string
  eventId: string
  userId: string
  eventName: string
  name: string
  expiresAt: Date
  isOnScreens: boolean
  mediaEpoch: number
  deviceHash: Buffer | null
  askingHash: Buffer | null
}

/** One that works. */
async function findHelper(db: Db, isMeant: RawBuilder<unknown>): Promise<OpenHelper | undefined> {
  const { rows } = await sql<OpenHelper>`
    select helpers.id, events.id as "eventId", users.id as "userId", events.name as "eventName", helpers.name, expires_at as "expiresAt",
      current_event_id is not distinct from events.id as "isOnScreens", media_epoch as "mediaEpoch", device_hash as "deviceHash",
      asking_hash as "askingHash"
    from helpers join events on events.id = event_id join users on users.id = events.user_id
    where ${isMeant} and users.is_active and ${isHelperOpen} limit 1`.execute(db)
  return rows[0]
}

/** Who helps on the device of a request. Throws 404 when nobody does any more, and 403 on a device that only asks. */
async function helperOf(db: Db, req: Call['req']): Promise<OpenHelper> {
  const secret = cookieSecretOf(req, helperCookie)
  const hash = secret === undefined ? null : hashOf(secret)
  if (!hash) throw linkGone()
  const helper = await findHelper(db, sql`device_hash = ${hash}`)
  if (helper) return helper
  throw ((await findHelper(db, sql`asking_hash = ${hash}`)) ? otherDevice : linkGone)()
}

/** What a helper does without an account: review one event, on the device that began with the link. */
export function helperRoutes(serve: Serve, deps: Dependencies): void {
  const { db, config, mediaCache } = deps

  serve(beginHelping, async ({ body: { secret } }, { req, reply, client }) => {
    const find = (from: Db) => findHelper(from, sql`secret_hash = ${hashOf(secret)}`)
    const found = isSecret(secret) ? await find(db) : undefined
    if (!found) {
      await countRateHit(db, 'unknownCodes', client)
      throw linkGone()
    }
    const own = cookieSecretOf(req, helperCookie)
    const isOwn = (hash: Buffer | null): boolean => own !== undefined && hash !== null && hashOf(own).equals(hash)
    const device = newSecret()
    const { isBound, isNew, expiresAt } = await db.transaction().execute(async (tx) => {
      if (!(await lockUser(tx, found.userId))) throw linkGone()
      const helper = await find(tx)
      if (!helper) throw linkGone()
      const isFirst = helper.deviceHash === null
      const outcome = { isBound: isFirst || isOwn(helper.deviceHash), expiresAt: helper.expiresAt }
      if (isOwn(helper.deviceHash) || isOwn(helper.askingHash)) return { ...outcome, isNew: false }
      const values = isFirst
        ? sql`device_hash = ${hashOf(device)}, begun_at = now(), last_seen_at = now()`
        : sql`asking_hash = ${hashOf(device)}, asked_at = now()`
      await sql`update helpers set ${values} where id = ${helper.id}`.execute(tx)
      await publish(tx, { kind: 'events', user: helper.userId })
      return { ...outcome, isNew: true }
    })
    // Also of one that asks: the host can allow it then.
    if (isNew)
      setSecretCookie(
        { req, reply, config },
        {
          name: helperCookie,
          secret: device,
          path: '/helper',
          maxAge: Math.ceil((expiresAt.getTime() - Date.now()) / 1000),
        },
      )
    if (!isBound) throw otherDevice()
    return null
  })

  serve(helperReview, async ({ query }, { req }) => {
    const { list = 'waiting', limit = eventLimits.reviewPageDefault } = query
    const helper = await helperOf(db, req)
    const { eventId, userId, eventName, name, expiresAt, isOnScreens } = helper
    const tokens = tokensOf(deps, helper.id)
    const after = query.after === undefined ? undefined : tokens.idOf(query.after)
    await sql`
      update helpers set last_seen_at = now()
      where id = ${helper.id} and (last_seen_at is null or last_seen_at < now() - interval '1 minute')`.execute(db)
    const photos =
      list === 'waiting'
        ? (await reviewRows(db, { eventId, list, after, limit: limit + 1 })).map((row) => waitingView(deps, row))
        : await shownPhotos(deps, helper, { after, limit: limit + 1 })
    const page = photos.slice(0, limit).map((photo) => ({ ...photo, id: tokens.of(photo.id) }))
    return {
      event_name: eventName,
      helper_name: name,
      expires_at: expiresAt.toISOString(),
      photos: page,
      next: photos.length > limit ? (page.at(-1)?.id ?? null) : null,
      waiting_count: await waitingCount(db, eventId),
      adding: await addingOf(db, { userId, eventId }),
      on_screens: isOnScreens,
      hold: await holdForHelper(db, helper),
    }
  })

  /** With its token in place of its id. */
  const holdForHelper = async (from: Db, helper: OpenHelper): Promise<PhotoHold | null> => {
    const hold = await holdOfEvent(from, helper)
    return hold && { ...hold, photo_id: tokensOf(deps, helper.id).of(hold.photo_id) }
  }
  /** Changes something as the helper of a request, who may be ended or moved to another device until the account is locked. */
  const act = async <T>(req: Call['req'], change: (tx: Db, helper: OpenHelper) => Promise<T>): Promise<T> => {
    const { userId } = await helperOf(db, req)
    const result = await db.transaction().execute(async (tx) => {
      if (!(await lockUser(tx, userId))) throw linkGone()
      return change(tx, await helperOf(tx, req))
    })
    mediaCache.invalidateUser(userId)
    return result
  }

  serve(helperDecide, ({ body }, { req }) => {
    refuseSameState(body)
    return act(req, async (tx, { id, userId, eventId }) => {
      const { ids: given, from, to } = body
      const ids = given.map(tokensOf(deps, id).idOf)
      const { results, ...answer } = await decide(tx, { userId, eventId, by: id, ids, from, to })
      const photos = results.flatMap((one) => (one.outcome === 'done' ? one.id : []))
      await recordHelperActions(tx, { helperId: id, action: actionOf[to], photos })
      return { results: results.map((result, at) => ({ ...result, id: given[at]! })), ...answer } // one for each id
    })
  })

  serve(helperHide, ({ body: { ids: given, hidden } }, { req }) =>
    act(req, async (tx, { id, userId, eventId }) => {
      const tokens = tokensOf(deps, id)
      const ids = given.map(tokens.idOf)
      const isMeant = hidden
        ? sql`hidden_at is null`
        : sql`hidden_at is not null and hidden_by is not null and not ${isOfBlocked}`
      const photos = await idsOf(
        tx,
        sql`with chosen as (
            select id from photos where id = any(${ids}::text[]) and user_id = ${userId} and event_id = ${eventId} and state = 'ready'
              and deleted_at is null and is_listed and operator_decision is distinct from 'hide' and ${isMeant}
            order by id for no key update)
          update photos set hidden_at = ${hidden ? sql`now()` : null}, hidden_by = ${hidden ? id : null}
          from chosen where photos.id = chosen.id returning photos.id`,
      )
      await recordHelperActions(tx, { helperId: id, action: hidden ? 'hide photo' : 'show photo', photos })
      await publishChanged(tx, { userId, eventId, photos })
      return { ids: photos.map(tokens.of) }
    }),
  )

  serve(helperHold, ({ body }, { req }) =>
    act(req, async (tx, helper) => {
      const { id, userId, eventId, isOnScreens } = helper
      const photo = body.photo_id === null ? null : tokensOf(deps, id).idOf(body.photo_id)
      if (!isOnScreens) throw new Fault('conflict', 'The screens show another event now, so no photo can be held.')
      const { rows } = await sql<{ id: string }>`
        select id from photos where id = ${photo} and user_id = ${userId} and event_id = ${eventId}`.execute(tx)
      const held = photo === null ? (await holdOfEvent(tx, helper))?.photo_id : rows[0]?.id
      if (photo !== null && (held === undefined || !(await setHold(tx, userId, held))))
        throw new Fault('not_found', 'Only a photo of the event that guests can see can be held.')
      if (photo === null && held !== undefined) await releaseHoldOf(tx, userId, held)
      if (held !== undefined) {
        const action = photo === null ? 'release photo' : 'hold photo'
        await recordHelperActions(tx, { helperId: id, action, photos: [held] })
        await publish(tx, { kind: 'hold', user: userId })
      }
      return { hold: await holdForHelper(tx, helper) }
    }),
  )
}

/** As the audit log names decisions. */
const actionOf: Record<ReviewState, string> = {
  approved: 'approve photo',
  rejected: 'reject photo',
  waiting: 'take back decision about photo',
}

/** What screens hold, if it is of the helper's event. */
async function holdOfEvent(db: Db, { userId, eventId }: OpenHelper): Promise<PhotoHold | null> {
  const hold = await holdOf(db, userId)
  if (!hold) return null
  const { rows } = await sql`select from photos where id = ${hold.photo_id} and event_id = ${eventId}`.execute(db)
  return rows.length > 0 ? hold : null
}

function waitingView(deps: Dependencies, row: Parameters<typeof reviewView>[1]): HelperPhoto {
  const { id, review, added_at, contributor, table, ...photo } = reviewView(deps, row)
  const { thumbnail_url, screen_url, width, height, thumbhash } = photo
  const contributor_name = contributor?.name ?? null
  const about = { id, review, added_at, contributor_name, table }
  return { ...about, thumbnail_url, screen_url, width, height, thumbhash, hidden: false }
}

interface ShownRow {
  id: string
  review: HelperPhoto['review']
  created_at: Date
  contributor_name: string | null
  table: string | null
  thumb_key: string | null
  full_key: string
  width: number | null
  height: number | null
  thumbhash: string | null
  hidden_at: Date | null
}

/** What guests can see of the event, and what a helper has hidden. The addresses of its pictures end when it is hidden. */
async function shownPhotos(
  { db, urls }: Dependencies,
  { eventId, userId, mediaEpoch }: OpenHelper,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<HelperPhoto[]> {
  const place = (table: string) =>
    sql`coalesce(${sql.ref(`${table}.shown_at`)}, ${sql.ref(`${table}.created_at`)}), ${sql.ref(`${table}.id`)}`
  const isLater =
    after === undefined
      ? sql`true`
      : sql`(${place('photos')}) < (select ${place('anchor')} from photos anchor where anchor.id = ${after} and anchor.event_id = ${eventId})`
  const { rows } = await sql<ShownRow>`
    select photos.id, review, photos.created_at, contributors.name as contributor_name, event_codes.label as table, thumb_key, full_key,
      width, height, thumbhash, hidden_at
    from photos left join contributors on contributors.id = photos.contributor_id
      left join event_codes on event_codes.code = photos.event_code
    where photos.event_id = ${eventId} and photos.user_id = ${userId} and is_listed and state = 'ready' and photos.deleted_at is null
      and operator_decision is distinct from 'hide' and (hidden_at is null or hidden_by is not null and not ${isOfBlocked})
      and ${isLater}
    order by coalesce(photos.shown_at, photos.created_at) desc, photos.id desc limit ${limit}`.execute(db)
  return rows.map((row) => {
    const { id, thumb_key: thumbKey, full_key: fullKey, hidden_at: hiddenAt } = row
    return {
      id,
      review: row.review,
      added_at: row.created_at.toISOString(),
      contributor_name: row.contributor_name,
      table: row.table,
      thumbnail_url:
        thumbKey === null
          ? null
          : hiddenAt
            ? urls.hiddenThumbnail({ thumbKey, hiddenAt, reader: 'owner' })
            : urls.thumbnail(thumbKey),
      screen_url: urls.helperImage({ photoId: id, fullKey, mediaEpoch, hiddenAt, eventId }),
      width: row.width,
      height: row.height,
      thumbhash: row.thumbhash,
      hidden: hiddenAt !== null,
    }
  })
}
