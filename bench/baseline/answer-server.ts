/** The baseline of small answers: a bare node:http server that answers every request with the same JSON, read from a file. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [file = '', port = '0'] = process.argv.slice(2)
const answer = readFileSync(file)

createServer((_req, res) => {
  res.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length }).end(answer)
}).listen(Number(port), '127.0.0.1')
// The benchmark has ended.
process.on('disconnect', () => process.exit())
