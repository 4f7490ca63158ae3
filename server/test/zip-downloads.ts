/** Photos with files, and downloads of ZIP files of them. */
import { once } from 'node:events'
import { truncate } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { type Entry, fromBuffer, type Options, type ZipFile } from 'yauzl'
import { storeStream } from '../ports/storage/storage.ts'
import { storedFilePath } from './consistency-check.ts'
import type { TestServer } from './harness.ts'
import { addPhotos, type TestUser } from './test-data.ts'

/** Longer than all buffers on the way. */
export const longBytes = 24 * 1024 * 1024

export async function entriesOf(zip: Buffer): Promise<Entry[]> {
  const file = await promisify<Buffer, Options, ZipFile>(fromBuffer)(zip, { strictFileNames: true })
  const entries: Entry[] = []
  file.on('entry', (entry: Entry) => entries.push(entry))
  await once(file, 'end')
  return entries
}

export function zipDownloads(server: TestServer) {
  const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await server.app.deps.pool.query<Row>(text, values)).rows
  return {
    query,
    /** Photos with files, one second apart, the oldest first. */
    async photosOf(user: TestUser, files: readonly { name: string; bytes: Buffer; at?: string }[]): Promise<string[]> {
      const ids = await addPhotos(server, user, { count: files.length })
      for (const [
        index,
        { name, bytes, at = `2026-06-14T20:00:${String(index).padStart(2, '0')}Z` },
      ] of files.entries()) {
        const key = `full/${ids[index]}`
        await query(
          `update photos set filename = $2, full_type = 'image/jpeg', full_bytes = $3, created_at = $4 where id = $1`,
          [ids[index], name, bytes.length, at],
        )
        await query('insert into stored_objects (key, photo_id) values ($1, $2)', [key, ids[index]])
        const source = Readable.from([Buffer.from(bytes)])
        await storeStream(server.app.deps.storage, key, { source, type: 'image/jpeg' })
      }
      return ids
    },
    /** Makes the file of a photo longer than all buffers on the way; it has no blocks. */
    async lengthen(id: string): Promise<void> {
      await truncate(storedFilePath(server, `full/${id}`), longBytes)
      await query('update photos set full_bytes = $2 where id = $1', [id, longBytes])
    },
    download: (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
      server.request({ method, url, headers }),
    /** An answer whose bytes are read later. */
    async begin(url: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
      const asked = get((await server.listen()) + url, { headers: { host: 'photos.test', ...headers }, agent: false })
      asked.on('error', () => {})
      const [answer] = (await once(asked, 'response')) as [IncomingMessage]
      return answer
    },
  }
}
