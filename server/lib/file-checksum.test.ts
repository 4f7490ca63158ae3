import { createHash, randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { scratchFolder } from '../test/child-processes.ts'
import { checksumOfFile, releaseBuffer } from './file-checksum.ts'

describe('file checksum', () => {
  test.each([0, 256 * 1024, 256 * 1024 + 1])('the size, SHA-256 and CRC-32 of a file of %d bytes', async (bytes) => {
    const path = join(scratchFolder(onTestFinished), 'file')
    const content = randomBytes(bytes)
    writeFileSync(path, content)
    const { sha256, ...rest } = await checksumOfFile(path)
    expect(rest).toEqual({ bytes, crc32: crc32(content) })
    expect(sha256.toString('hex')).toBe(createHash('sha256').update(content).digest('hex'))
    expect(await checksumOfFile(path, sha256)).toEqual({ sha256, ...rest })
  })

  test('a file that does not exist', async () => {
    await expect(checksumOfFile(join(scratchFolder(onTestFinished), 'none'))).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

describe('release buffer', () => {
  test('the memory of a large chunk is freed; a slice, of which others may read the rest, and a small chunk, which may be part of the pool, are left alone', () => {
    const [chunk, whole, small] = [64 * 1024, 64 * 1024, 1024].map((bytes) => Buffer.allocUnsafeSlow(bytes))
    releaseBuffer(chunk!)
    releaseBuffer(whole!.subarray(0, 32 * 1024))
    releaseBuffer(small!)
    expect([chunk!.length, whole!.length, small!.length]).toEqual([0, 64 * 1024, 1024])
  })
})
