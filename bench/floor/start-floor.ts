import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '@keepsnap/e2e/program.ts'

export interface Floor {
  address: string
  stop(): Promise<void>
}

/** Starts one of the bare servers as a process of its own, and waits until it answers. */
async function start(script: string, dir: string, env: Record<string, string> = {}): Promise<Floor> {
  const port = await freePort()
  const child = spawn(process.execPath, [join(import.meta.dirname, script), dir, String(port)], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = new Promise((resolve) => child.on('exit', resolve))
  const address = `http://127.0.0.1:${port}`
  for (const end = Date.now() + 10_000; ; await delay(20)) {
    if (await fetch(address).catch(() => undefined)) break
    if (Date.now() > end || child.exitCode !== null) throw new Error(`${script} does not answer`)
  }
  return {
    address,
    async stop() {
      child.kill()
      await ended
    },
  }
}

/** sharp as it comes, with the product's own coding settings, or with a thumbnail alone and the photo stored as it came. */
export type Coding = 'plain' | 'light' | 'kept'

/** What the floors are, for the reader of the results. */
export const floorWords =
  'The floor, which the limits are about, is sharp as it comes (JPEG quality 90, WebP quality 80) behind a bare node:http server. ' +
  'The light floor does less work, the same as the product where it re-encodes: no optimised Huffman tables (4.5 % larger JPEGs), WebP effort 2 instead of 4. It is there for comparison and has no limit. ' +
  'The bare server stores the photo as it came and makes nothing but its thumbnail; it does not strip it, hash it, make it last, or tell a database or a socket. What it reaches is what this machine allows anybody who decodes with libjpeg.'

export function startImageFloor(scratch: string, coding: Coding): Promise<Floor> {
  const dir = join(scratch, `floor-${coding}`)
  mkdirSync(dir)
  return start('floor.ts', dir, { FLOOR_CODING: coding })
}

/** Serves the files of a folder as they are when it starts. */
export const startFileFloor = (dir: string): Promise<Floor> => start('files.ts', dir)
