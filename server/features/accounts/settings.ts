import { sql } from 'kysely'
import type { SlideshowDelayMinutes } from '@keepsnap/contract/accounts.ts'
import type { Language } from '@keepsnap/contract/languages.ts'
import { consentVersions, updateSettings, type ConsentKind } from '@keepsnap/contract/settings.ts'
import type { WatermarkCorner, WatermarkSize, WatermarkStrength } from '@keepsnap/contract/watermark.ts'
import type { Db } from '../../db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Serve } from '../../http/serve.ts'
import { checkBrandName, checkTimeZone, checkUsername } from './profile-fields.ts'
import { publish } from '../../live/bus.ts'
import { createUserView } from './user-view.ts'

/** PUT /user/settings: changes settings, and records given or withdrawn consent. */
export function settingsRoutes(
  serve: Serve,
  { db, pool, mediaCache, urls }: Pick<Dependencies, 'db' | 'pool' | 'mediaCache' | 'urls'>,
): void {
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
