import { sql } from 'kysely'
import { normalizeEmail } from '@keepsnap/contract/form-rules.ts'
import { isLanguage, type Language } from '@keepsnap/contract/languages.ts'
import { legalVersions } from '@keepsnap/contract/site.ts'
import type { SlideshowDelayMinutes, User } from '@keepsnap/contract/accounts.ts'
import { tierOf } from '@keepsnap/contract/plans.ts'
import { type Db, ignoreDatabaseDown } from '../../platform/db/connect.ts'
import { currentPlan, planOf } from '../plans/plans.ts'
import { Fault, unauthorized } from '../../faults.ts'
import { coalesce, prepareQuery } from '../../platform/db/prepared-query.ts'
import type { Dependencies } from '../../dependencies.ts'
import { chooseLogoGrounds, hasBranding, lowContrastOf, watermarkColumns } from '../branding/brands.ts'
import { accountHasEvents } from '../photos/photo-view.ts'
import type { KeyActor, SessionActor } from '../../platform/http/authenticator.ts'
import { publish } from '../../platform/live/bus.ts'

interface NewUser {
  id: string
  email: string
  username: string
  /** An IANA time zone; the server's without one. */
  timeZone?: string | null
  language?: Language | undefined
  passwordHash: string
}

/** Registers an account, under the General Conditions in force. False when the email address, in any case, already has an account. */
export async function addUser(
  db: Db,
  { id, email, username, timeZone, language, passwordHash }: NewUser,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .with('added', (part) =>
      part
        .insertInto('users')
        .values({
          id,
          email,
          email_key: normalizeEmail(email),
          username,
          time_zone: timeZone ?? null,
          language: language ?? null,
          terms_version: legalVersions.terms,
          password_hash: passwordHash,
        })
        .onConflict((conflict) => conflict.column('email_key').doNothing())
        .returning('id'),
    )
    .insertInto('photo_counts')
    .columns(['user_id', 'photos'])
    .expression((part) => part.selectFrom('added').select(['id', sql.lit(0).as('photos')]))
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export const userByEmail = (
  db: Db,
  email: string,
): Promise<{ id: string; password_hash: string; is_active: boolean } | undefined> =>
  db
    .selectFrom('users')
    .select(['id', 'password_hash', 'is_active'])
    .where('email_key', '=', normalizeEmail(email))
    .executeTakeFirst()

/** Whether an active account still has this password. Locks the row, so that this stays true until the transaction ends. */
export async function isPasswordUnchanged(
  tx: Db,
  { id, password_hash: hash }: { id: string; password_hash: string },
): Promise<boolean> {
  const userRow = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('password_hash', '=', hash)
    .where('is_active', '=', true)
    .forShare()
    .executeTakeFirst()
  return userRow !== undefined
}

export const emailTaken = (): Fault => new Fault('already_registered', 'This email is already registered.')
export const isEmailTaken = async (db: Db, email: string): Promise<boolean> =>
  (await userByEmail(db, email)) !== undefined

/**
 * A user as `userView` shows it, by the session of the caller (in hexadecimal; null for other callers) and the id, in this order of
 * parameters. `photo_count` is null until the photos have been counted.
 */
const selectUser = (db: Db, { id, sessionHash }: { id: string; sessionHash: string | null }) =>
  db
    .selectFrom('users')
    .leftJoin('photo_counts', 'photo_counts.user_id', 'users.id')
    .leftJoin('subscribers', 'subscribers.user_id', 'users.id')
    .leftJoin('brand_images as logo', (join) =>
      join.onRef('logo.user_id', '=', 'users.id').on('logo.kind', '=', sql.lit('logo')),
    )
    .leftJoin('brand_images as background', (join) =>
      join.onRef('background.user_id', '=', 'users.id').on('background.kind', '=', sql.lit('background')),
    )
    .select([
      'users.id',
      'users.username',
      'users.email',
      'users.email_verified_at',
      'users.use_logo_as_watermark',
      'users.watermark_size',
      'users.watermark_corner',
      'users.watermark_strength',
      'users.ask_email_to_receive_photo',
      'users.brand_name',
      'users.time_zone',
      'users.language',
      'users.slow_show_minutes',
      'users.allow_marketing_emails',
      'users.allow_promotional_emails',
      'users.allow_request_removal_emails',
      'users.is_admin',
      'users.is_active',
      'users.created_at',
      'users.current_event_id',
      accountHasEvents.as('has_events'),
      currentPlan.as('plan'),
      'photo_counts.photos as photo_count',
      'subscribers.became_subscriber_at as subscribed_at',
      'logo.key as logo_key',
      'logo.low_contrast_on_paper',
      'logo.low_contrast_on_ink',
      'background.key as background_key',
      // The session that registered, within its first hour: registration stores account and session in one transaction, at the same now().
      sql<boolean>`(users.created_at > now() - interval '1 hour' and exists (select from sessions
        where sessions.token_hash = decode(${sessionHash}, 'hex') and sessions.user_id = users.id
          and sessions.created_at = users.created_at))`.as('first_visit'),
    ])
    .where('users.id', '=', id)

/** How many photos exist for a user. */
export async function countPhotosOf(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('photos')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .where('is_listed', '=', true)
    .where('state', '!=', sql.lit('receiving'))
    .executeTakeFirstOrThrow()
  return count
}

/** Counts a user's photos and stores the number, which triggers keep from then on: see migration 0049. Resolves to the number. */
export const keepPhotoCount = (db: Db, userId: string): Promise<number> =>
  db.transaction().execute(async (tx) => {
    await sql`insert into photo_counts (user_id) values (${userId})
      on conflict (user_id) do update set photos = null`.execute(tx)
    // A statement of its own: it sees what was committed before the row was locked.
    const photos = await countPhotosOf(tx, userId)
    await tx.updateTable('photo_counts').set({ photos }).where('user_id', '=', userId).execute()
    return photos
  })

/** URLs of images that were handed out before work no longer, as when the account's own gate is changed. */
export async function withdrawUrls(tx: Db, userId: string): Promise<void> {
  await sql`update users set media_epoch = media_epoch + 1 where id = ${userId}`.execute(tx)
  await publish(tx, { kind: 'user', user: userId })
}

/** Makes an event the current one, or none. The caller has locked the account. */
export async function setCurrentEventOf(tx: Db, userId: string, eventId: string | null): Promise<void> {
  await tx.updateTable('users').set({ current_event_id: eventId }).where('id', '=', userId).execute()
  await publish(tx, { kind: 'current-event', user: userId })
}

/** The caller's account as the API returns it. */
type ViewUser = (actor: SessionActor | KeyActor) => Promise<User>

/** Every open page asks for the account again and again: a prepared statement, with identical concurrent queries coalesced. */
export function createUserView({ db, pool, urls }: Pick<Dependencies, 'db' | 'pool' | 'urls'>): ViewUser {
  const findUser = coalesce(prepareQuery(pool, 'user view', selectUser(db, { id: '', sessionHash: '' }).compile()))
  return async (actor) => {
    const sessionHash = actor.by === 'session' ? actor.sessionHash.toString('hex') : null
    const [user] = await findUser([sessionHash, actor.userId])
    if (!user) throw unauthorized()
    const photoCount =
      user.photo_count ??
      (await keepPhotoCount(db, user.id).catch(ignoreDatabaseDown)) ??
      (await countPhotosOf(db, user.id))
    const isBranded = hasBranding(user)
    const logoKey = isBranded ? user.logo_key : null
    const backgroundKey = isBranded ? user.background_key : null
    return {
      id: user.id,
      username: user.username,
      email: user.email,
      email_verified: user.email_verified_at !== null,
      subscription_tier: tierOf(planOf(user).id),
      logo_url: logoKey === null ? null : urls.brandImage(logoKey),
      logo_grounds:
        logoKey === null ? null : chooseLogoGrounds(lowContrastOf(user), { hasBackground: backgroundKey !== null }),
      background_image_url: backgroundKey === null ? null : urls.brandImage(backgroundKey),
      use_logo_as_watermark: user.use_logo_as_watermark,
      ...watermarkColumns(user),
      ask_email_to_receive_photo: user.ask_email_to_receive_photo,
      brand_name: user.brand_name,
      time_zone: user.time_zone,
      language: isLanguage(user.language) ? user.language : null,
      // A check of the column allows no other values.
      slow_show_minutes: user.slow_show_minutes as SlideshowDelayMinutes,
      allow_marketing_emails: user.allow_marketing_emails,
      allow_promotional_emails: user.allow_promotional_emails,
      allow_request_removal_emails: user.allow_request_removal_emails,
      first_visit: user.first_visit,
      is_admin: user.is_admin,
      is_active: user.is_active,
      created_at: user.created_at.toISOString(),
      became_subscriber_at: user.subscribed_at?.toISOString() ?? null,
      photo_count: photoCount,
      ...(user.has_events && { current_event_id: user.current_event_id }),
    }
  }
}
