import { sql } from 'kysely'
import { consentVersions, updateSettings, type ConsentKind } from '@keepsnap/contract/settings.ts'
import type { Db } from '../../db/connect.ts'
import type { Deps } from '../../deps.ts'
import type { Serve } from '../../http/serve.ts'
import { publish } from '../../live/bus.ts'
import { viewFor } from './view.ts'

/** The settings that a user may write. */
export interface Settings {
  use_logo_as_watermark?: boolean
  ask_email_to_receive_photo?: boolean
  allow_marketing_emails?: boolean
  allow_promotional_emails?: boolean
}

/** Writes down who agreed to what, or took it back, when, and in which words; only where the mind was changed. */
async function noteConsents(tx: Db, userId: string, settings: Settings): Promise<void> {
  const given: Record<ConsentKind, boolean | undefined> = {
    marketing: settings.allow_marketing_emails,
    promotional: settings.allow_promotional_emails,
  }
  for (const kind of ['marketing', 'promotional'] as const) {
    const now = given[kind]
    if (now === undefined) continue
    const before = sql.ref(`allow_${kind}_emails`)
    await sql`insert into consents (user_id, kind, given, version)
      select id, ${kind}, ${now}, ${consentVersions[kind]} from users where id = ${userId} and ${before} <> ${now}`.execute(
      tx,
    )
  }
}

/** Writes those that are given. Switching the gate makes every address handed out before void. */
export async function changeSettings(tx: Db, userId: string, settings: Settings): Promise<void> {
  const asks = settings.ask_email_to_receive_photo
  // Two changes at once take turns, so that the last consent written is the one that holds.
  await sql`select 1 from users where id = ${userId} for no key update`.execute(tx)
  await noteConsents(tx, userId, settings)
  await tx
    .updateTable('users')
    .set({
      ...settings,
      ...(asks !== undefined && {
        media_epoch: sql<number>`media_epoch + (ask_email_to_receive_photo <> ${asks})::int`,
      }),
    })
    .where('id', '=', userId)
    .execute()
}

/** PUT /user/settings: the four settings, and what was agreed to. */
export function settings(serve: Serve, { db, media, addresses }: Pick<Deps, 'db' | 'media' | 'addresses'>): void {
  serve(updateSettings, async ({ body }, { actor }) => {
    await db.transaction().execute(async (tx) => {
      await changeSettings(tx, actor.userId, body)
      await publish(tx, { kind: 'user', user: actor.userId })
    })
    media.forgetAll()
    return viewFor({ db, addresses }, actor.userId)
  })
}
