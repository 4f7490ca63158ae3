/** The floor of downloads: a bare node:http server that streams the files of a folder, whose sizes it knows, and nothing else. */
import { createReadStream, readdirSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'

const [dir = '.', port = '0'] = process.argv.slice(2)
const sizes = new Map(readdirSync(dir).map((name) => [`/${name}`, statSync(join(dir, name)).size]))

createServer((req, res) => {
  const bytes = sizes.get(req.url ?? '')
  if (bytes === undefined) return void res.writeHead(req.url === '/' ? 200 : 404).end()
  res.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': bytes })
  createReadStream(join(dir, req.url!)).pipe(res)
}).listen(Number(port), '127.0.0.1')
