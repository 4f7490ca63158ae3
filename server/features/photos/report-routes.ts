import {
  decideReport,
  listReports,
  reportForm,
  reportPhoto,
  reportReasons,
  undoDecision,
} from '@keepsnap/contract/reports.ts'
import type { PhotoReport, ReportReason } from '@keepsnap/contract/reports.ts'
import type { Dependencies } from '../../dependencies.ts'
import { guestFrame, guestLogo, guestPhoto, guestReport } from '../../domain/guest-page-props.ts'
import { isId, newId } from '../../lib/ids.ts'
import { decideAccess, sharedPhotoNotFound, type SharedPhoto } from '../../domain/photo-access.ts'
import { Fault, invalidField } from '../../faults.ts'
import { sendGuestPage } from '../../http/guest-pages.ts'
import type { Serve } from '../../http/serve.ts'
import { publish } from '../../live/bus.ts'
import { refuseIfOperatorHid } from './operator-decisions.ts'
import { lockOwnerReports, queueReportEmail } from './report-emails.ts'
import { addReport, recordDecision, reportsOf, reportView, undoHideDecision } from './report-queries.ts'

const reportThanks = 'Thank you. The person who shared this photo has been notified.'
const isReason = (text: string | undefined): text is ReportReason => reportReasons.some((reason) => reason === text)

const photoNotFound = () => new Fault('not_found', 'Photo not found')

type ReportDependencies = Pick<Dependencies, 'db' | 'mediaCache' | 'urls' | 'guestRenderer' | 'config'>

/** Guests report a photo and its owner decides. Once the decision commits, guests cannot open a hidden photo in any way. */
export function reportRoutes(serve: Serve, deps: ReportDependencies): void {
  serve(reportPhoto, async ({ params, body }) => {
    await storeReport(deps, await findShared(deps, params.id), body)
    return { detail: reportThanks }
  })
  serve(reportForm, async ({ params, body }, { reply }) => {
    await sendGuestPage(reply, deps.guestRenderer, await answerForm(deps, params.id, body))
    return undefined
  })
  serve(listReports, async (_, { actor }) => ({
    reports: (await reportsOf(deps.db, actor.userId)).map(reportView(deps.urls)),
  }))
  serve(decideReport, async ({ params, body }, { actor }) =>
    decideReports(deps, { userId: actor.userId, photoId: params.id, decision: body.decision }),
  )
  serve(undoDecision, async ({ params, query }, { actor }) =>
    undoDecisionOf(deps, { userId: actor.userId, photoId: params.id, decidedAt: query.decided_at }),
  )
}

/** The photo, if guests may see its page. */
async function findShared({ mediaCache }: ReportDependencies, id: string): Promise<SharedPhoto> {
  const photo = isId(id) ? await mediaCache.find('id', id) : undefined
  if (!photo || decideAccess(photo, { via: 'guest page' }) === 'not found') throw sharedPhotoNotFound()
  return photo
}

async function storeReport(
  { db }: ReportDependencies,
  { photoId, userId }: SharedPhoto,
  { reason, note }: { reason: ReportReason; note?: string | undefined },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const isAdded = await addReport(tx, { id: newId(), photoId, reason, note: note?.trim() || null })
    if (isAdded) await queueReportEmail(tx, { userId, photoId })
    await publish(tx, { kind: 'report', user: userId, photo: photoId })
  })
}

/** Stores a report from the form that works without JavaScript; the page to show. */
async function answerForm(
  deps: ReportDependencies,
  photoId: string,
  { reason, note }: { reason?: string | undefined; note?: string | undefined },
) {
  const { urls, config } = deps
  const frame = guestFrame(config.publicUrl, '/report-photo')
  const photo = await findShared(deps, photoId).catch((error: unknown) => {
    if (error instanceof Fault && error.code === 'not_found') return undefined
    throw error
  })
  if (!photo) return { page: { page: 'gone', why: 'photo' }, frame, status: 404 } as const
  const isReported = isReason(reason)
  if (isReason(reason)) await storeReport(deps, photo, { reason, note })
  const shown = { photo: guestPhoto(photo, urls), report: guestReport(photoId), logo: guestLogo(photo, urls) }
  return {
    page: { page: 'reported', ok: isReported, note: note ?? '', ...shown },
    frame,
    status: isReported ? 200 : 422,
  } as const
}

/** Hides or keeps a reported photo; the report as its owner sees it then. */
async function decideReports(
  { db, mediaCache, urls }: ReportDependencies,
  { userId, photoId, decision }: { userId: string; photoId: string; decision: 'hide' | 'keep' },
): Promise<PhotoReport> {
  const isDecided = await db.transaction().execute(async (tx) => {
    if (!isId(photoId) || !(await lockOwnerReports(tx, userId))) return false
    if (decision === 'keep') await refuseIfOperatorHid(tx, { userId, photoId })
    if (!(await recordDecision(tx, { userId, photoId, decision }))) return false
    await publish(tx, { kind: 'photo', what: 'changed', user: userId, photo: photoId })
    await publish(tx, { kind: 'report', user: userId, photo: photoId })
    return true
  })
  if (!isDecided) throw photoNotFound()
  mediaCache.invalidatePhoto(photoId)
  const [row] = await reportsOf(db, userId, photoId)
  if (row) return reportView(urls)(row)
  const photo = await mediaCache.find('id', photoId)
  return {
    photo: { id: photoId, filename: photo?.filename ?? '', thumbnail_url: null },
    hidden: decision === 'hide',
    hidden_by_operator: false,
    open: false,
    reports: [],
    decision,
    decided_at: new Date().toISOString(),
  }
}

/** Undoes a decision to hide; returns the updated report as its owner sees it. */
async function undoDecisionOf(
  { db, mediaCache, urls }: ReportDependencies,
  { userId, photoId, decidedAt }: { userId: string; photoId: string; decidedAt: string },
): Promise<PhotoReport> {
  const time = new Date(decidedAt)
  if (Number.isNaN(time.getTime())) throw invalidField('decided_at', 'This is not a time.', 'query')
  if (!isId(photoId)) throw photoNotFound()
  const isUndone = await db.transaction().execute(async (tx) => {
    if (!(await lockOwnerReports(tx, userId))) return false
    await refuseIfOperatorHid(tx, { userId, photoId })
    if (!(await undoHideDecision(tx, { userId, photoId, decidedAt: time }))) return false
    await publish(tx, { kind: 'photo', what: 'changed', user: userId, photo: photoId })
    await publish(tx, { kind: 'report', user: userId, photo: photoId })
    return true
  })
  if (isUndone) mediaCache.invalidatePhoto(photoId)
  const [row] = await reportsOf(db, userId, photoId)
  if (!row) throw photoNotFound()
  return reportView(urls)(row)
}
