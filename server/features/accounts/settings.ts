import { sql } from 'kysely'
import {
  brandNameMessages,
  brandNameProblem,
  normalizeName,
  usernameMessages,
  usernameProblem,
} from '@keepsnap/contract/form-rules.ts'
import { canonicalTimeZone, type Language } from '@keepsnap/contract/languages.ts'
import {
  type ConsentKind,
  consentVersions,
  type SlideshowDelayMinutes,
  updateSettings,
  type WatermarkCorner,
  type WatermarkSize,
  type WatermarkStrength,
} from '@keepsnap/contract/accounts.ts'
import { invalidField } from '../../faults.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { publish } from '../../platform/live/bus.ts'
import { createUserView } from './users.ts'

/** PUT /user/settings: changes settings, and records given or withdrawn consent. */
export function settingsRoutes(serve: Serve, { db, pool, mediaCache, urls }: Dependencies): void {
  const viewUser = createUserView({ db, pool, urls })
  serve(updateSettings, async ({ body }, { actor }) => {
    const { userId } = actor
    const changes = checkedChanges(body)
    await db.transaction().execute(async (tx) => {
      await changeSettings(tx, userId, changes)
      await publish(tx, { kind: 'user', user: userId })
    })
    mediaCache.invalidateUser(userId)
    return viewUser(actor)
  })
}

/** The username as it is stored. Throws `invalid` for one that cannot be used. */
function checkUsername(text: string): string {
  const name = normalizeName(text)
  const problem = usernameProblem(name)
  if (problem) throw invalidField('username', usernameMessages[problem])
  return name
}

/** The brand name as it is stored; an empty one is none. Throws `invalid` for one that guests cannot be shown. */
function checkBrandName(text: string | null): string | null {
  const name = normalizeName(text ?? '')
  if (name === '') return null
  const problem = brandNameProblem(name)
  if (problem) throw invalidField('brand_name', brandNameMessages[problem])
  return name
}

/** The time zone as it is stored; null for the server's. Throws `invalid` for one that is unknown. */
export function checkTimeZone(text: string | null): string | null {
  if (text === null) return null
  const timeZone = canonicalTimeZone(text)
  if (timeZone === undefined) throw invalidField('time_zone', 'Please give a time zone such as Europe/Brussels')
  return timeZone
}

/** The changes as they are stored. Throws `invalid` for a name or a time zone that cannot be used. */
function checkedChanges({ username, brand_name, time_zone, ...switches }: SettingChanges): SettingChanges {
  return {
    ...switches,
    ...(username !== undefined && { username: checkUsername(username) }),
    ...(brand_name !== undefined && { brand_name: checkBrandName(brand_name) }),
    ...(time_zone !== undefined && { time_zone: checkTimeZone(time_zone) }),
  }
}

/** The settings that a user may change. */
interface SettingChanges {
  username?: string
  brand_name?: string | null
  time_zone?: string | null
  language?: Language
  use_logo_as_watermark?: boolean
  ask_email_to_receive_photo?: boolean
  allow_marketing_emails?: boolean
  allow_promotional_emails?: boolean
  allow_request_removal_emails?: boolean
  watermark_size?: WatermarkSize
  watermark_corner?: WatermarkCorner
  watermark_strength?: WatermarkStrength
  slow_show_minutes?: SlideshowDelayMinutes
}

/** Records each change of consent with its time and the version of the sentence. */
async function recordConsents(tx: Db, userId: string, changes: SettingChanges): Promise<void> {
  const consents: Record<ConsentKind, boolean | undefined> = {
    marketing: changes.allow_marketing_emails,
    promotional: changes.allow_promotional_emails,
  }
  for (const kind of ['marketing', 'promotional'] as const) {
    const newConsent = consents[kind]
    if (newConsent === undefined) continue
    const currentConsent = sql.ref(`allow_${kind}_emails`)
    await sql`insert into consents (user_id, kind, given, version)
      select id, ${kind}, ${newConsent}, ${consentVersions[kind]} from users where id = ${userId} and ${currentConsent} <> ${newConsent}`.execute(
      tx,
    )
  }
}

/** Changing whether guests give an email address increases the media epoch, which invalidates URLs signed before. */
async function changeSettings(tx: Db, userId: string, changes: SettingChanges): Promise<void> {
  const emailRequired = changes.ask_email_to_receive_photo
  // Serializes concurrent changes, so that the last recorded consent is the current one.
  await sql`select 1 from users where id = ${userId} for no key update`.execute(tx)
  await recordConsents(tx, userId, changes)
  await tx
    .updateTable('users')
    .set({
      ...changes,
      ...(emailRequired !== undefined && {
        media_epoch: sql<number>`media_epoch + (ask_email_to_receive_photo <> ${emailRequired})::int`,
      }),
    })
    .where('id', '=', userId)
    .execute()
}
