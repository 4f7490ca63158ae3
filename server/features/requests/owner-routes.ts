import { Readable } from 'node:stream'
import { limits } from '@keepsnap/contract/limits.ts'
import {
  exportPhotoRequests,
  listPhotoRequests,
  type PhotoRequest,
  resendFailedRequests,
  resendPhotoRequest,
} from '@keepsnap/contract/requests.ts'
import type { Dependencies } from '../../dependencies.ts'
import { languageOfUser } from '../../domain/email-context.ts'
import { contentDisposition } from '../../lib/content-disposition.ts'
import { createCsvWriter, type CsvWriter } from '../../lib/csv.ts'
import { isId } from '../../lib/ids.ts'
import { Fault } from '../../faults.ts'
import type { Serve } from '../../http/serve.ts'
import { resendEmail } from '../../emails/queue-email.ts'
import { publish } from '../../live/bus.ts'
import { createRequestReads, requestOf, type RequestedPhotoRow } from './queries.ts'
import { requestView } from './request-view.ts'
import { nextRemovalDay } from './request-removals.ts'
import { resendFailedOf } from './resend-failed.ts'

const requestNotFound = (): Fault => new Fault('not_found', 'This request does not exist.')
const defaultRequestsPerPage = 100

/** All requests of an owner as lines of a CSV file. Reads page by page; the first page is passed in. */
async function* requestCsvLines(
  csv: CsvWriter,
  firstPage: RequestedPhotoRow[],
  readNextPage: (before: string) => Promise<RequestedPhotoRow[]>,
  viewRequest: ReturnType<typeof requestView>,
): AsyncGenerator<string, void, undefined> {
  const lineOf = ({
    requester_email: requester,
    requested_at,
    photo,
    state,
    sent_at,
    failure,
  }: PhotoRequest): string => {
    const [requestedAt, sentAt] = [new Date(requested_at), sent_at === null ? null : new Date(sent_at)]
    const reason = failure === null ? null : csv.translate(failure)
    return csv.line([requester, photo.filename, photo.id, requestedAt, csv.translate(state), sentAt, reason])
  }
  yield csv.heading(['Requester', 'Photo', 'Photo ID', 'Requested (UTC)', 'State', 'Sent (UTC)', 'Reason'])
  for (let page = firstPage; page.length;) {
    yield page.map((row) => lineOf(viewRequest(row))).join('')
    const lastRequest = page.at(-1)
    page = lastRequest && page.length === limits.requestsMax ? await readNextPage(lastRequest.id) : []
  }
}

/** What the owner calls: who requested which photo, the state of the email, and resending one. */
export function ownerRequestRoutes(
  serve: Serve,
  deps: Pick<Dependencies, 'db' | 'pool' | 'urls' | 'mail' | 'guestRenderer' | 'tokens'>,
): void {
  const { db, pool, urls, mail, guestRenderer } = deps
  const requestReads = createRequestReads(db, pool)
  const viewRequest = requestView(urls, { outbox: mail.kind === 'outbox' })

  serve(listPhotoRequests, async ({ query }, { actor, reply }) => {
    const { limit = defaultRequestsPerPage, ...filter } = query
    const page = await requestReads.countedPage(actor.userId, { ...filter, limit: limit + 1 })
    const { rows, oldestAt, timeZone, ...counts } = page
    const shownRequests = rows.slice(0, limit)
    const lastRequest = shownRequests.at(-1)
    if (rows.length > limit && lastRequest) reply.header('x-next-before', lastRequest.id)
    const removal = oldestAt && query.before === undefined ? nextRemovalDay(oldestAt, timeZone) : undefined
    const next_removal = removal
      ? {
          at: removal.at.toISOString(),
          addresses: await requestReads.addressesBefore(actor.userId, removal.requestedBefore),
        }
      : null
    return { requests: shownRequests.map(viewRequest), ...counts, next_removal }
  })

  serve(exportPhotoRequests, async (_, { actor, reply }) => {
    const readPage = (before?: string): Promise<RequestedPhotoRow[]> =>
      requestReads.page(actor.userId, { limit: limits.requestsMax, before })
    const firstPage = await readPage()
    const exportDay = new Date().toISOString().slice(0, 10)
    reply.headers({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': contentDisposition('attachment', `photo-requests-${exportDay}.csv`),
      'cache-control': 'no-store',
    })
    const csv = createCsvWriter(await languageOfUser(db, actor.userId), guestRenderer.translateCsv)
    await reply.send(Readable.from(requestCsvLines(csv, firstPage, readPage, viewRequest)))
    return undefined
  })

  serve(resendPhotoRequest, async ({ params }, { actor }) => {
    const foundRequest = isId(params.id) ? await requestOf(db, actor.userId, params.id) : undefined
    if (!foundRequest) throw requestNotFound()
    const isResent = await db.transaction().execute(async (tx) => {
      const wasFailed = await resendEmail(tx, foundRequest.email_id)
      if (wasFailed) await publish(tx, { kind: 'request', user: actor.userId, request: foundRequest.id })
      return wasFailed
    })
    if (!isResent) throw new Fault('conflict', 'Only failed emails can be resent.')
    const resentRequest = await requestOf(db, actor.userId, params.id)
    if (!resentRequest) throw requestNotFound()
    return viewRequest(resentRequest)
  })

  serve(resendFailedRequests, (_, { actor }) => resendFailedOf(deps, actor.userId))
}
