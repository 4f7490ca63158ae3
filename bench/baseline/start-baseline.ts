import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '@keepsnap/server/test/free-ports.ts'

export interface BaselineServer {
  address: string
  stop(): Promise<void>
}

/** Starts one of the bare servers as a process of its own, and waits until it responds. */
async function start(script: string, path: string, env: Record<string, string> = {}): Promise<BaselineServer> {
  const port = await freePort()
  const child = spawn(process.execPath, [join(import.meta.dirname, script), path, String(port)], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const exited = new Promise((resolve) => child.on('exit', resolve))
  const address = `http://127.0.0.1:${port}`
  for (const end = Date.now() + 10_000; ; await wait(20)) {
    if (await fetch(address).catch(() => undefined)) break
    if (Date.now() > end || child.exitCode !== null) throw new Error(`${script} does not respond`)
  }
  return {
    address,
    async stop() {
      child.kill()
      await exited
    },
  }
}

/**
 * - `default`: sharp with its default settings and the qualities of the product. The limits are about this one.
 * - `light`: the coding settings of the product. The difference to the product is the cost of everything else.
 * - `thumbnail-only`: `light`, but the photo is stored as received, without a full image.
 */
export type BaselineMode = 'default' | 'light' | 'thumbnail-only'

/** The modes, for the reader of the results. */
export const baselineText =
  'The baseline, which the limits are about, is sharp with its default settings (JPEG quality 90, WebP quality 80) behind a bare node:http server. ' +
  'The light baseline does less work, the same as the product where it re-encodes: no optimised Huffman tables (4.5 % larger JPEGs), WebP effort 2 instead of 4. It is there for comparison and has no limit. ' +
  'The thumbnail-only baseline stores the photo as received and makes only its thumbnail; it does not remove metadata, hash, sync to disk, write to a database or notify a socket. Its speed is the most that decoding with libjpeg allows on this machine.'

export function startImageBaseline(scratchDir: string, mode: BaselineMode): Promise<BaselineServer> {
  const dir = join(scratchDir, `baseline-${mode}`)
  mkdirSync(dir)
  return start('image-server.ts', dir, { BASELINE_MODE: mode })
}

/** Serves the files that are in a folder when it starts. */
export const startFileBaseline = (dir: string): Promise<BaselineServer> => start('file-server.ts', dir)

/** Answers every request with the JSON in a file. */
export const startAnswerBaseline = (file: string): Promise<BaselineServer> => start('answer-server.ts', file)
