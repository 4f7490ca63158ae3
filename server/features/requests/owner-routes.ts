import { Readable } from 'node:stream'
import { limits } from '@keepsnap/contract/limits.ts'
import { exportPhotoRequests, listPhotoRequests, resendPhotoRequest } from '@keepsnap/contract/requests.ts'
import type { Dependencies } from '../../dependencies.ts'
import { contentDisposition } from '../../lib/content-disposition.ts'
import { isId } from '../../lib/ids.ts'
import { Fault } from '../../faults.ts'
import type { Serve } from '../../http/serve.ts'
import { resendEmail } from '../../emails/queue-email.ts'
import { publish } from '../../live/bus.ts'
import { requestCounts, requestOf, requestsOf, type RequestRow } from './queries.ts'
import { requestCsvHeading, requestCsvLine } from './request-csv.ts'
import { requestView } from './request-view.ts'

const requestNotFound = (): Fault => new Fault('not_found', 'This request does not exist.')
const defaultLimit = 100

/** All requests of an owner as lines of a CSV file. Reads page by page; the first page is passed in. */
async function* csvLines(
  firstPage: RequestRow[],
  next: (before: string) => Promise<RequestRow[]>,
  view: ReturnType<typeof requestView>,
): AsyncGenerator<string, void, undefined> {
  yield requestCsvHeading
  for (let page = firstPage; page.length;) {
    yield page.map((row) => requestCsvLine(view(row))).join('')
    const last = page.at(-1)
    page = last && page.length === limits.requestsMax ? await next(last.id) : []
  }
}

/** What the owner calls: who requested which photo, the state of the email, and resending one. */
export function ownerRequests(serve: Serve, { db, urls, mail }: Pick<Dependencies, 'db' | 'urls' | 'mail'>): void {
  const view = requestView(urls, { outbox: mail.kind === 'outbox' })

  serve(listPhotoRequests, async ({ query }, { actor, reply }) => {
    const limit = query.limit ?? defaultLimit
    const [rows, counts] = await Promise.all([
      requestsOf(db, actor.userId, { limit: limit + 1, before: query.before }),
      requestCounts(db, actor.userId),
    ])
    const shown = rows.slice(0, limit)
    const last = shown.at(-1)
    if (rows.length > limit && last) reply.header('x-next-before', last.id)
    return { requests: shown.map(view), ...counts }
  })

  serve(exportPhotoRequests, async (_, { actor, reply }) => {
    const page = (before?: string): Promise<RequestRow[]> =>
      requestsOf(db, actor.userId, { limit: limits.requestsMax, before })
    const first = await page()
    const day = new Date().toISOString().slice(0, 10)
    reply.headers({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': contentDisposition('attachment', `photo-requests-${day}.csv`),
      'cache-control': 'no-store',
    })
    await reply.send(Readable.from(csvLines(first, page, view)))
    return undefined
  })

  serve(resendPhotoRequest, async ({ params }, { actor }) => {
    const found = isId(params.id) ? await requestOf(db, actor.userId, params.id) : undefined
    if (!found) throw requestNotFound()
    const isResent = await db.transaction().execute(async (tx) => {
      const isFailed = await resendEmail(tx, found.email_id)
      if (isFailed) await publish(tx, { kind: 'request', user: actor.userId, request: found.id })
      return isFailed
    })
    if (!isResent) throw new Fault('conflict', 'Only failed emails can be resent.')
    const now = await requestOf(db, actor.userId, params.id)
    if (!now) throw requestNotFound()
    return view(now)
  })
}
