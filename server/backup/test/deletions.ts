import type { Photo } from '@keepsnap/contract/photos.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import type { TestServer } from '../../test/harness.ts'
import { makeUser, upload, validPassword, type TestUser } from '../../test/test-data.ts'
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

/** Three photos of two accounts in a first backup; then one photo and one account are deleted, and there is a second backup. */
export async function deletedAfterBackup(server: TestServer) {
  const kept = await photoOf(server)
  const { id: deleted } = await photoOf(server, kept.user)
  const gone = await photoOf(server)
  const backups = await temporaryFolder()
  await backUpServer(server, backups)
  await deletePhoto(server, kept.user, deleted)
  const { token } = gone.user
  await succeed(server.request({ method: 'DELETE', url: '/user', token, body: { password: validPassword } }))
  await server.work()
  await backUpServer(server, backups)
  return { backups, kept, deleted, gone }
}
