/**
 * The floor: what a bare node:http server with multipart and sharp needs for the same artefacts, without database,
 * accounts, durability or push. As fast as honest code makes it: one thread a picture, as many pictures at once as
 * there are cores, thumbnail and full image side by side. `FLOOR_CODING=plain` is sharp as it comes (quality 90), and
 * what the limits are about: the same artefacts as whoever uses sharp makes them. `FLOOR_CODING=light` leaves out what
 * the product leaves out too, optimised Huffman tables and WebP effort above 2: what is left is the price of the rest.
 * `FLOOR_CODING=kept` makes no full image at all: it stores what came, as it came, beside a thumbnail. That is less than
 * the product does where it keeps pixels, which looks at the file, strips it, and makes it last.
 */
import { writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Busboy } from '@fastify/busboy'
import sharp from 'sharp'
import { encodeQrCode, qrCodePng } from '@keepsnap/server/features/sharing/qr-codes.ts'

const [dir = '.', port = '0'] = process.argv.slice(2)
const kept = process.env['FLOOR_CODING'] === 'kept'
const light = kept || process.env['FLOOR_CODING'] === 'light'
const coding = {
  jpeg: { quality: 90, ...(light && { optimiseCoding: false }) },
  webp: { quality: 80, ...(light && { effort: 2 }) },
}
sharp.concurrency(1)
sharp.cache(false)

let free = availableParallelism()
const line: (() => void)[] = []
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (free > 0) free -= 1
  else await new Promise<void>((go) => line.push(go))
  try {
    return await work()
  } finally {
    const next = line.shift()
    if (next) next()
    else free += 1
  }
}

function fileOf(req: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    // A multipart request has a content type, or busboy rejects it.
    const form = new Busboy({ headers: req.headers as { 'content-type': string }, highWaterMark: 1024 * 1024 })
    form.on('file', (_, stream) => stream.on('data', (chunk: Buffer) => chunks.push(chunk)))
    form.on('finish', () => resolve(Buffer.concat(chunks)))
    form.on('error', reject)
    req.pipe(form)
  })
}

let photos = 0
async function make(photo: Buffer): Promise<string> {
  const name = String(++photos)
  const to = (kind: string): string => join(dir, `${name}-${kind}`)
  const image = () => sharp(photo).autoOrient()
  const code = (path: string): Buffer =>
    qrCodePng(encodeQrCode(`http://127.0.0.1:${port}/${path}/${name.padStart(22, '0')}`))
  await Promise.all([
    image()
      .resize({ width: 480, height: 480, fit: 'inside', withoutEnlargement: true })
      .webp(coding.webp)
      .toBuffer()
      .then((bytes) => writeFile(to('thumb'), bytes)),
    (kept ? Promise.resolve(photo) : image().jpeg(coding.jpeg).toBuffer()).then((bytes) =>
      writeFile(to('full'), bytes),
    ),
    writeFile(to('code'), code('d')),
    writeFile(to('request-code'), code('request-photo')),
  ])
  return name
}

async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (req.method !== 'POST') return void res.end('ready')
  const photo = await fileOf(req)
  const name = await inTurn(() => make(photo))
  res.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ name }))
}

createServer((req, res) => {
  answer(req, res).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`)
    res.writeHead(500).end()
  })
}).listen(Number(port), '127.0.0.1')
