import { setTimeout as wait } from 'node:timers/promises'
import { deflateSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { jpeg, quadrantPixels } from '../images/test/sample-images.ts'
import { tiffFile } from '../images/test/tiff-file.ts'
import { scratchFolder } from './child-processes.ts'
import { cloneDatabase } from './cloned-database.ts'
import { startServerProcess } from './server-process.ts'
import { logWithSeed } from './statistics.ts'

const versions = {
  ...(process.env['KEEPSNAP_BASELINE'] && { baseline: process.env['KEEPSNAP_BASELINE'] }),
  now: undefined,
}

/** A version of the program, and an account that uploads. */
async function startVersion(root: string | undefined) {
  const { database, drop } = await cloneDatabase({ isBare: true })
  onTestFinished(drop)
  const dir = scratchFolder(onTestFinished)
  const { address } = await startServerProcess(onTestFinished, {
    database,
    dir,
    command: ['serve'],
    ...(root && { root }),
  })
  const registered = await fetch(`${address}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'owner@example.com', password: 'Correct.Horse.9' }),
  })
  const { access_token: token } = (await registered.json()) as { access_token: string } // what the contract says
  const headers = { authorization: `Bearer ${token}` }
  return {
    address,
    upload: (file: Buffer, name: string): Promise<Response> => {
      const form = new FormData()
      form.append('file', new Blob([Uint8Array.from(file)]), name)
      return fetch(`${address}/photos/upload`, { method: 'POST', headers, body: form })
    },
    photos: async () => (await (await fetch(`${address}/photos`, { headers })).json()) as Photo[], // what the contract says
  }
}

test('file names of thousands of dots delay no other request', { timeout: 600_000 }, async () => {
  const file = await jpeg()
  for (const [version, root] of Object.entries(versions)) {
    const { address, upload } = await startVersion(root)
    /** How long another request waits at most while files with such names arrive. */
    const mostWait = async (name: string): Promise<number> => {
      const uploading = { isOver: false }
      let most = 0
      const other = async (): Promise<void> => {
        for (; !uploading.isOver; await wait(20)) {
          const startedAt = performance.now()
          await (await fetch(`${address}/health`)).arrayBuffer()
          most = Math.max(most, performance.now() - startedAt)
        }
      }
      const others = other()
      for (let n = 0; n < 5; n++) expect((await upload(file, `${n}${name}.jpg`)).status).toBe(201)
      uploading.isOver = true
      await others
      return Math.round(most)
    }
    const [plain, dots] = [await mostWait('dance'), await mostWait(`${'.'.repeat(8_000)}x`)]
    logWithSeed(`${version}: another request waits ${plain} ms beside ordinary names, ${dots} ms beside 8,000 dots`)
    expect(dots).toBeLessThan(version === 'now' ? 2 * plain + 200 : Infinity)
  }
})

test('planar TIFFs in tiles become photos', { timeout: 600_000 }, async () => {
  const [width, height] = [64, 48]
  const { data } = quadrantPixels(width, height)
  const files = [
    { side: 16, bits: 8, compression: 1 },
    { side: 64, bits: 8, compression: 1 },
    { side: 32, bits: 8, compression: 8 },
    { side: 32, bits: 16, compression: 1 },
    { side: 32, bits: 16, compression: 8 },
  ] as const
  for (const [version, root] of Object.entries(versions)) {
    const { upload, photos } = await startVersion(root)
    for (const { side, bits, compression } of files) {
      const [across, down] = [Math.ceil(width / side), Math.ceil(height / side)]
      const tiles = Array.from({ length: 3 * across * down }, (_, nth) => {
        const [channel, tile] = [Math.floor(nth / (across * down)), nth % (across * down)]
        const [left, top] = [(tile % across) * side, Math.floor(tile / across) * side]
        const samples = Array.from({ length: side * side }, (__, at) => {
          const [x, y] = [left + (at % side), top + Math.floor(at / side)]
          return data[(Math.min(y, height - 1) * width + Math.min(x, width - 1)) * 3 + channel]!
        })
        const bytes = Buffer.from(bits === 16 ? samples.flatMap((value) => [value, value]) : samples)
        return compression === 8 ? deflateSync(bytes) : bytes
      })
      const file = tiffFile({ width, height }, tiles, { planar: 2, tile: side, bits, compression })
      expect((await upload(file, `${side}-${bits}-${compression}.tif`)).status).toBe(201)
    }
    const states = async () =>
      (await photos()).map(({ processing_complete: done, error_message: error }) => done || error)
    await expect.poll(async () => (await states()).filter(Boolean).length, { timeout: 300_000 }).toBe(files.length)
    const ready = (await states()).filter((state) => state === true).length
    logWithSeed(`planar TIFFs in tiles, ${version}: ${ready} of ${files.length} became photos`)
    expect(ready).toBe(version === 'now' ? files.length : 0)
  }
})
