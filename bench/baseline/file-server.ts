/** The baseline of downloads: a bare node:http server that streams the files of a folder; it reads their sizes at the start. */
import { createReadStream, readdirSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'

const [dir = '.', port = '0'] = process.argv.slice(2)
const fileSizes = new Map(readdirSync(dir).map((name) => [`/${name}`, statSync(join(dir, name)).size]))

createServer((req, res) => {
  const { url = '/' } = req
  const sizeBytes = fileSizes.get(url)
  if (sizeBytes === undefined) return void res.writeHead(url === '/' ? 200 : 404).end()
  res.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': sizeBytes })
  createReadStream(join(dir, url)).pipe(res)
}).listen(Number(port), '127.0.0.1')
// The benchmark has ended.
process.on('disconnect', () => process.exit())
