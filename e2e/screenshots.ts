import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isRecord } from '@keepsnap/server/test/statistics.ts'

const recordFolder = join(import.meta.dirname, '../test-results/screens')

/**
 * Keeps a screenshot to be looked at: in the folder that KEEPSNAP_SCREENSHOTS names, otherwise, in a record run, in
 * test-results/screens. Other runs take none.
 */
export async function keepScreenshot(name: string, take: () => Promise<Buffer>): Promise<void> {
  const folder = process.env['KEEPSNAP_SCREENSHOTS'] ?? (isRecord ? recordFolder : undefined)
  if (folder === undefined) return
  await mkdir(folder, { recursive: true })
  const fileName = name.replaceAll(/[^\w.]+/g, '-').replaceAll(/^-|-$/g, '')
  await writeFile(join(folder, `${fileName}.png`), await take())
}
