import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { jpeg } from '../images/test/sample-images.ts'
import type { TestServer } from './harness.ts'
import { type TestUser, upload } from './test-data.ts'

/** The photo that tests upload when its contents do not matter. */
export const photoFile = await jpeg()

/** The path and query of a URL in a photo's fields. */
export const pathOf = (address: string | null): string => new URL(address!).pathname + new URL(address!).search

/** What tests do with the photos of a server, and ask about them. */
export function photoActions(serverOfTest: () => TestServer) {
  const query = (text: string, values: unknown[]) => serverOfTest().app.deps.pool.query(text, values)
  const get = (user: TestUser, url: string) => serverOfTest().request({ method: 'GET', url, token: user.token })
  const uploaded = async (
    user: TestUser,
    file = photoFile,
    options: Parameters<typeof upload>[3] = {},
  ): Promise<Photo> => (await upload(serverOfTest(), user, file, options)).json<Photo>()
  return {
    get,
    uploaded,
    /** An uploaded photo, processed. */
    async processedPhoto(user: TestUser, file = photoFile): Promise<Photo> {
      const { id } = await uploaded(user, file)
      await serverOfTest().work()
      return (await get(user, `/photos/${id}`)).json<Photo>()
    },
    uploadsThisMonth: async (user: TestUser): Promise<number> =>
      (await query('select coalesce(sum(uploads), 0)::int as n from usage_months where user_id = $1', [user.id]))
        .rows[0].n,
    /** The names of all files in the store. */
    storedFiles: async (): Promise<string[]> =>
      (await readdir(join(serverOfTest().dir, 'files'), { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map(({ name }) => name),
    photoRowsOf: async (user: TestUser) => (await query('select * from photos where user_id = $1', [user.id])).rows,
    async runCleanUp(): Promise<void> {
      await query("select graphile_worker.add_job('clean-up', '{}'::json)", [])
      await serverOfTest().work()
    },
  }
}
