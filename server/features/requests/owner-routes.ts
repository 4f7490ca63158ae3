import { Readable } from 'node:stream'
import { limits } from '@keepsnap/contract/limits.ts'
import { exportPhotoRequests, listPhotoRequests, resendPhotoRequest } from '@keepsnap/contract/requests.ts'
import type { Deps } from '../../deps.ts'
import { disposition } from '../../domain/filenames.ts'
import { isId } from '../../domain/ids.ts'
import { Fault } from '../../faults.ts'
import type { Serve } from '../../http/serve.ts'
import { resendLetter } from '../../letters/write.ts'
import { publish } from '../../live/bus.ts'
import { csvHead, csvRow } from './csv.ts'
import { requestCounts, requestOf, requestsOf, requestView, type RequestRow } from './queries.ts'

const nothingThere = (): Fault => new Fault('not_found', 'There is no such request.')
const usual = 100

/** Every request of an owner as lines of a table, a page at a time, from a first page that was read before. */
async function* tableOf(
  rows: RequestRow[],
  next: (before: string) => Promise<RequestRow[]>,
  view: ReturnType<typeof requestView>,
): AsyncGenerator<string, void, undefined> {
  yield csvHead
  for (let page = rows; page.length;) {
    yield page.map((row) => csvRow(view(row))).join('')
    const last = page.at(-1)
    page = last && page.length === limits.requestsMax ? await next(last.id) : []
  }
}

/** The owner's side: who asked for which photo, what became of the letter, and sending one again. */
export function ownedRequests(serve: Serve, { db, addresses, mail }: Pick<Deps, 'db' | 'addresses' | 'mail'>): void {
  const view = requestView(addresses, { outbox: mail.kind === 'outbox' })

  serve(listPhotoRequests, async ({ query }, { actor, reply }) => {
    const limit = query.limit ?? usual
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
      'content-disposition': disposition('attachment', `photo-requests-${day}.csv`),
      'cache-control': 'no-store',
    })
    await reply.send(Readable.from(tableOf(first, page, view)))
    return undefined
  })

  serve(resendPhotoRequest, async ({ params }, { actor }) => {
    const found = isId(params.id) ? await requestOf(db, actor.userId, params.id) : undefined
    if (!found) throw nothingThere()
    const isSentAgain = await db.transaction().execute(async (tx) => {
      const isOurs = await resendLetter(tx, found.letter_id)
      if (isOurs) await publish(tx, { kind: 'request', user: actor.userId, request: found.id })
      return isOurs
    })
    if (!isSentAgain) throw new Fault('conflict', 'Only a letter that failed can be sent again.')
    const now = await requestOf(db, actor.userId, params.id)
    if (!now) throw nothingThere()
    return view(now)
  })
}
