import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { InvoiceWait } from '@keepsnap/contract/operator-invoices.ts'
import { documentsSince } from '../features/plans/business-invoices.ts'
import { isCalendarDay } from '../lib/days.ts'
import { plural } from '../lib/operator-texts.ts'
import { type AppCommand, UsageError } from './command.ts'

const usage = 'invoices DIR --since YYYY-MM-DD'

const waitTexts: Record<InvoiceWait, string> = {
  rate: 'the rate of the euro: enter it on /admin',
  seller: 'your own details',
  buyer_name: 'the name of the business',
  buyer_vat_number: 'a VAT number with right check digits',
  buyer_street: 'the street of the business',
  buyer_postal_code: 'the postal code of the business',
  buyer_city: 'the city of the business',
}

// Said once: all documents wait for it.
const sellerAdvice =
  'Your own details: set OPERATOR_NAME, OPERATOR_ADDRESS, OPERATOR_VAT and OPERATOR_EMAIL. They are added within an hour.'

/** What a document waits for, and who can complete it. */
function waitText(waitsFor: readonly InvoiceWait[], username: string | null): string {
  const isOfBuyer = waitsFor.some((one) => one.startsWith('buyer_'))
  const who =
    username === null ? 'the account was deleted' : `${username} can enter it in Settings, under Business details`
  return `${waitsFor.map((one) => waitTexts[one]).join('; ')}${isOfBuyer ? ` (${who})` : ''}`
}

/** Writes a file, unless there is one; whether it was written. Throws when another text is there. */
async function writeNew(path: string, text: string): Promise<boolean> {
  try {
    await writeFile(path, text, { flag: 'wx' })
    return true
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    if ((await readFile(path, 'utf8')) === text) return false
    throw new UsageError(
      `${path} is there with other content, so nothing more was written; move it away and run the command again`,
      { cause: error },
    )
  }
}

/**
 * `invoices`: writes invoices of businesses and their credit notes since a day in UTC as UBL, one file each, for the operator's
 * Peppol provider; files that are there with the same content stay. Exit status 1 while some wait for something.
 */
const invoices: AppCommand = (args) => {
  const [directory, flag, day, ...more] = args
  if (
    directory === undefined ||
    directory.startsWith('--') ||
    flag !== '--since' ||
    day === undefined ||
    more.length > 0
  )
    throw new UsageError(usage)
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || !isCalendarDay(day))
    throw new UsageError(`${usage}; ${day} is not a day such as 2026-11-01`)
  return async ({ db }) => {
    const folder = resolve(directory)
    await mkdir(folder, { recursive: true })
    const waiting: string[] = []
    let [written, present] = [0, 0]
    let isSellerMissing = false
    for await (const { number, fileName, xml, waitsFor, username } of documentsSince(db, new Date(day))) {
      isSellerMissing ||= waitsFor.includes('seller')
      if (xml === undefined) waiting.push(`  ${number} waits for ${waitText(waitsFor, username)}`)
      else if (await writeNew(join(folder, fileName), xml)) written += 1
      else present += 1
    }
    const lines = [
      `${plural(written, 'file')} written to ${folder}, ${plural(present, 'file')} there already.`,
      ...(waiting.length > 0 ? [`${plural(waiting.length, 'document')} not written:`, ...waiting] : []),
      ...(isSellerMissing ? [sellerAdvice] : []),
    ]
    return { text: lines.join('\n'), exitStatus: waiting.length > 0 ? 1 : 0 }
  }
}

export const invoiceCommands: Record<string, AppCommand> = { invoices }
