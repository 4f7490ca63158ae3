import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestServer } from './harness.ts'

/** Where a server that keeps files on disk has the file of a key. */
export function storedFilePath({ dir }: Pick<TestServer, 'dir'>, key: string): string {
  const [kind = '', name = ''] = key.split('/')
  return join(dir, 'files', kind, name.slice(0, 2), name)
}

/** Changes one byte in the middle of a file, and nothing else. */
export async function flipByte(path: string): Promise<void> {
  const file = await open(path, 'r+')
  const { size } = await file.stat()
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size >> 1)
  await file.write(Buffer.from([(buffer[0] ?? 0) ^ 1]), 0, 1, size >> 1)
  await file.close()
}
