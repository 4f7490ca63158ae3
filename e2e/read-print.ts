import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { codesIn } from './codes.ts'

const run = promisify(execFile)
const resolution = '150'

/** What zbar reads on the only page of a PDF, printed at 150 dpi, its picture, and its size in millimetres. */
export async function readPrint(bytes: Buffer, file: string) {
  await writeFile(file, bytes)
  const keep = process.env['KEEPSNAP_PRINTS']
  if (keep) await writeFile(join(keep, basename(file)), bytes)
  const { stdout: facts } = await run('pdfinfo', [file])
  const { stdout: png } = await run('pdftoppm', ['-r', resolution, '-png', file], {
    encoding: 'buffer',
    maxBuffer: 100_000_000,
  })
  const [, width, height] = /Page size: +([\d.]+) x ([\d.]+) pts/.exec(facts) ?? []
  const size = [width, height].map((points) => Math.round((Number(points) / 72) * 25.4 * 2) / 2)
  return { facts, size, pages: Number(/Pages: +(\d+)/.exec(facts)?.[1]), codes: (await codesIn(png)).toSorted(), png }
}
