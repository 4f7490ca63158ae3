import type { Photo } from '@keepsnap/contract/photos.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import type { TestServer } from '../../test/harness.ts'
import { makeUser, upload, validPassword, type TestUser } from '../../test/test-data.ts'
import { eraseGuest } from '../../setup/erase-guest.ts'
import { backUpServer, temporaryFolder } from './backup-fixtures.ts'

/** A photo that is ready. */
export async function photoOf(server: TestServer, owner?: TestUser): Promise<{ user: TestUser; id: string }> {
  const user = owner ?? (await makeUser(server))
  const { id } = (await upload(server, user, await jpeg({ width: 64, height: 48 }))).json<Photo>()
  await server.work()
  return { user, id }
}

async function succeed(answer: ReturnType<TestServer['request']>): Promise<void> {
  const { statusCode, body } = await answer
  if (statusCode >= 300) throw new Error(`answered ${statusCode}: ${body}`)
}

export const deletePhoto = (server: TestServer, { token }: TestUser, id: string): Promise<void> =>
  succeed(server.request({ method: 'DELETE', url: `/photos/${id}`, token }))

/** A guest requests a photo. */
export const requestAs = (server: TestServer, photo: string, email: string): Promise<void> =>
  succeed(server.request({ method: 'POST', url: `/photos/${photo}/request-email`, body: { email } }))

/** An operator erases the guest with the mailbox anna@guest.test. */
export const eraseGuestOf = ({ db, app }: TestServer) =>
  db.transaction().execute((tx) => eraseGuest(tx, app.deps.tokens, 'anna@guest.test'))

/**
 * Three photos of two accounts and two requests in a first backup; then one photo and one account are deleted and a guest is
 * erased, and there is a second backup.
 */
export async function deletedAfterBackup(server: TestServer) {
  const kept = await photoOf(server)
  const { id: deleted } = await photoOf(server, kept.user)
  const gone = await photoOf(server)
  for (const email of ['anna@guest.test', 'ben@guest.test']) await requestAs(server, kept.id, email)
  const backups = await temporaryFolder()
  await backUpServer(server, backups)
  await eraseGuestOf(server)
  await deletePhoto(server, kept.user, deleted)
  const { token } = gone.user
  await succeed(server.request({ method: 'DELETE', url: '/user', token, body: { password: validPassword } }))
  await server.work()
  await backUpServer(server, backups)
  return { backups, kept, deleted, gone }
}
