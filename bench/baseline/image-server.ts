/**
 * The baseline of uploads: a bare node:http server with multipart parsing and sharp that makes the same files for each
 * photo, without database, accounts, durability or push. It decodes as many photos at once as there are cores, one
 * thread each, thumbnail and full image at the same time. BASELINE_MODE is one of the modes in start-baseline.ts.
 */
import { writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Busboy } from '@fastify/busboy'
import sharp from 'sharp'
import PQueue from 'p-queue'
import { encodeQrCode, qrCodePng } from '@keepsnap/server/lib/qr-codes.ts'

const [dir = '.', port = '0'] = process.argv.slice(2)
const mode = process.env['BASELINE_MODE']
const light = mode === 'light' || mode === 'thumbnail-only'
const coding = {
  jpeg: { quality: 90, ...(light && { optimiseCoding: false }) },
  webp: { quality: 80, ...(light && { effort: 2 }) },
}
sharp.concurrency(1)
sharp.cache(false)
const queue = new PQueue({ concurrency: availableParallelism() })

function readUpload(req: IncomingMessage): Promise<Buffer> {
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
async function processPhoto(photo: Buffer): Promise<string> {
  const name = String(++photos)
  const pathOf = (kind: string): string => join(dir, `${name}-${kind}`)
  const image = () => sharp(photo).autoOrient()
  const qrCode = (path: string): Buffer =>
    qrCodePng(encodeQrCode(`http://127.0.0.1:${port}/${path}/${name.padStart(22, '0')}`))
  const thumbnail = image()
    .resize({ width: 480, height: 480, fit: 'inside', withoutEnlargement: true })
    .webp(coding.webp)
    .toBuffer()
  const full = mode === 'thumbnail-only' ? Promise.resolve(photo) : image().jpeg(coding.jpeg).toBuffer()
  await Promise.all([
    thumbnail.then((bytes) => writeFile(pathOf('thumb'), bytes)),
    full.then((bytes) => writeFile(pathOf('full'), bytes)),
    writeFile(pathOf('code'), qrCode('d')),
    writeFile(pathOf('request-code'), qrCode('request-photo')),
  ])
  return name
}

async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (req.method !== 'POST') return void res.end('ready')
  const photo = await readUpload(req)
  const name = await queue.add(() => processPhoto(photo))
  res.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ name }))
}

createServer((req, res) => {
  handle(req, res).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`)
    res.writeHead(500).end()
  })
}).listen(Number(port), '127.0.0.1')
// The benchmark has ended.
process.on('disconnect', () => process.exit())
