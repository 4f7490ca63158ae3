/** Bare node:http servers that the product is compared with, each in a process of its own. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, mkdirSync, readdirSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Busboy } from '@fastify/busboy'
import PQueue from 'p-queue'
import sharp from 'sharp'
import { encodeQrCode, qrCodePng } from '@keepsnap/server/lib/qr-codes.ts'

/**
 * `images`: makes the same files for each photo, with sharp's default settings, and has no database, accounts, durability
 * or push. `files`: streams the files that are in its folder when it starts.
 */
type Baseline = 'images' | 'files'

export const imagesText =
  'The baseline is a bare node:http server with sharp in its default settings (JPEG quality 90, WebP quality 80), without database, accounts, durability or push.'

export async function startBaseline(kind: Baseline, dir: string) {
  mkdirSync(dir, { recursive: true })
  const child = fork(import.meta.filename, [kind, dir])
  const [port] = (await once(child, 'message')) as [number] // sent below
  return {
    address: `http://127.0.0.1:${port}`,
    async stop() {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}

function fileListener(dir: string): RequestListener {
  const sizes = new Map(readdirSync(dir).map((name) => [`/${name}`, statSync(join(dir, name)).size]))
  return ({ url = '/' }, response) => {
    const sizeBytes = sizes.get(url)
    if (sizeBytes === undefined) return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': sizeBytes })
    createReadStream(join(dir, url)).pipe(response)
  }
}

function readUpload(incoming: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    // A multipart request has a content type, or busboy rejects it.
    const headers = incoming.headers as { 'content-type': string }
    const form = new Busboy({ headers, highWaterMark: 1024 * 1024 })
    form.on('file', (_, stream) => stream.on('data', (chunk: Buffer) => chunks.push(chunk)))
    form.on('finish', () => resolve(Buffer.concat(chunks)))
    form.on('error', reject)
    incoming.pipe(form)
  })
}

/** Decodes as many photos at once as there are cores, one thread each, thumbnail and full image at the same time. */
function imageListener(dir: string): RequestListener {
  sharp.concurrency(1)
  sharp.cache(false)
  const queue = new PQueue({ concurrency: availableParallelism() })
  let photos = 0
  const processPhoto = async (photo: Buffer): Promise<string> => {
    const name = String(++photos)
    const write = (kind: string, bytes: Buffer) => writeFile(join(dir, `${name}-${kind}`), bytes)
    const image = () => sharp(photo).autoOrient()
    const qrCode = (path: string) => qrCodePng(encodeQrCode(`http://127.0.0.1/${path}/${name.padStart(22, '0')}`))
    const thumbnail = image()
      .resize({ width: 480, height: 480, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 80 })
    await Promise.all([
      thumbnail.toBuffer().then((bytes) => write('thumb', bytes)),
      image()
        .jpeg({ quality: 90 })
        .toBuffer()
        .then((bytes) => write('full', bytes)),
      write('code', qrCode('d')),
      write('request-code', qrCode('request-photo')),
    ])
    return name
  }
  return (incoming, response) => {
    void readUpload(incoming)
      .then((photo) => queue.add(() => processPhoto(photo)))
      .then((name) => response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ name })))
  }
}

if (import.meta.main) {
  const [kind, dir = '.'] = process.argv.slice(2)
  const server = createServer(kind === 'images' ? imageListener(dir) : fileListener(dir))
  // An IP address has a port.
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
  // The benchmark has ended.
  process.on('disconnect', () => process.exit())
}
