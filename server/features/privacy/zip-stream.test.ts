import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { fromBuffer, type Entry, type Options, type ZipFile } from 'yauzl'
import { createZipStream } from './zip-stream.ts'

const openZip = promisify<Buffer, Options, ZipFile>(fromBuffer)

test('the output is a zip file of the entries, in order and without compression', async () => {
  const zip = createZipStream()
  const output = buffer(zip.output)
  zip.addJson('account.json', { id: 1 })
  await zip.addStream('photo.jpg', Readable.from([Buffer.from('by'), Buffer.from('tes')]))
  zip.addText('left-out.txt', 'é')
  zip.end()
  const entries: Entry[] = []
  const zipFile = await openZip(await output, { lazyEntries: false })
  await new Promise((resolve) => zipFile.on('entry', (entry: Entry) => entries.push(entry)).on('end', resolve))
  expect(
    entries.map(({ fileName, compressionMethod, uncompressedSize }) => [fileName, compressionMethod, uncompressedSize]),
  ).toEqual([
    ['account.json', 0, '{\n  "id": 1\n}\n'.length],
    ['photo.jpg', 0, 5],
    ['left-out.txt', 0, 2],
  ])
})

test('an aborted archive rejects the entry that is being added, and closes its source', async () => {
  const zip = createZipStream()
  const source = new Readable({ read() {} })
  const added = zip.addStream('photo.jpg', source)
  zip.abort()
  await expect(added).rejects.toThrow()
  expect(source.destroyed).toBe(true)
})
