import type { EmailContext } from '@keepsnap/contract/guest.ts'
import { defaultLanguage, isLanguage, type Language } from '@keepsnap/contract/languages.ts'
import type { Db } from '../db/connect.ts'

/** A stored language; English where none is stored, or one that no longer exists. */
export const storedLanguage = (tag: string | null | undefined): Language => (isLanguage(tag) ? tag : defaultLanguage)

/** The language of an account. */
export async function languageOfUser(db: Db, userId: string): Promise<Language> {
  const user = await db.selectFrom('users').select('language').where('id', '=', userId).executeTakeFirst()
  return storedLanguage(user?.language)
}

/** What every email to a user needs: their language and time zone. Without an account, English and the server's time zone. */
export async function emailContextOf(
  db: Db,
  userId: string | null,
  { publicUrl, operator }: Pick<EmailContext, 'publicUrl' | 'operator'>,
): Promise<EmailContext> {
  const user =
    userId === null
      ? undefined
      : await db.selectFrom('users').select(['time_zone', 'language']).where('id', '=', userId).executeTakeFirst()
  return { publicUrl, operator, timeZone: user?.time_zone ?? null, language: storedLanguage(user?.language) }
}
