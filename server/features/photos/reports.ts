import { decideReport, listReports, reportForm, reportPhoto, reportReasons } from '@keepsnap/contract/reports.ts'
import type { ReportReason } from '@keepsnap/contract/reports.ts'
import type { Deps } from '../../deps.ts'
import { guestFrame, guestLogo, guestPhoto, guestReport } from '../../domain/guests.ts'
import { isId, newId } from '../../domain/ids.ts'
import { mayRead, type Media } from '../../domain/media.ts'
import { Fault } from '../../faults.ts'
import { sendGuestPage } from '../../http/pages.ts'
import type { Serve } from '../../http/serve.ts'
import { publish } from '../../live/bus.ts'
import { addReport, decide, reportsOf, reportView } from './report-queries.ts'

const gone = (): Fault => new Fault('not_found', 'This photo does not exist, or is no longer shared.')
const thanks = 'Thank you. The person who shared this photo is told at once.'
const isReason = (text: string | undefined): text is ReportReason => reportReasons.some((reason) => reason === text)

/** Guests report a photo; its owner decides. A hidden photo is gone from every guest path when the decision commits. */
export function reports(
  serve: Serve,
  { db, media: facts, addresses, guest, config }: Pick<Deps, 'db' | 'media' | 'addresses' | 'guest' | 'config'>,
): void {
  const view = reportView(addresses)

  const find = async (id: string): Promise<Media> => {
    const media = isId(id) ? await facts.by('id', id) : undefined
    if (!media || mayRead(media, { by: 'guest page' }) === 'nothing there') throw gone()
    return media
  }
  const report = async (media: Media, reason: ReportReason, note: string | undefined): Promise<void> =>
    db.transaction().execute(async (tx) => {
      await addReport(tx, { id: newId(), photoId: media.photoId, reason, note: note?.trim() || null })
      await publish(tx, { kind: 'report', user: media.userId, photo: media.photoId })
    })

  serve(reportPhoto, async ({ params, body }) => {
    await report(await find(params.id), body.reason, body.note)
    return { detail: thanks }
  })

  serve(reportForm, async ({ params, body }, { reply }) => {
    const media = await find(params.id).catch((error: unknown) => {
      if (error instanceof Fault && error.code === 'not_found') return undefined
      throw error
    })
    const frame = guestFrame(config.publicUrl, '/report-photo')
    if (!media) {
      await sendGuestPage(reply, guest, { page: { page: 'gone', why: 'photo' }, frame, status: 404 })
      return undefined
    }
    const ok = isReason(body.reason)
    if (isReason(body.reason)) await report(media, body.reason, body.note)
    const page = {
      page: 'reported',
      ok,
      photo: guestPhoto(media, addresses),
      report: guestReport(media.photoId),
      logo: guestLogo(media, addresses),
    } as const
    await sendGuestPage(reply, guest, { page, frame, status: ok ? 200 : 422 })
    return undefined
  })

  serve(listReports, async (_, { actor }) => ({ reports: (await reportsOf(db, actor.userId)).map(view) }))

  serve(decideReport, async ({ params, body }, { actor }) => {
    const photoId = params.id
    const isOurs =
      isId(photoId) &&
      (await db.transaction().execute(async (tx) => {
        const found = await decide(tx, { userId: actor.userId, photoId, decision: body.decision })
        if (found) {
          await publish(tx, { kind: 'photo', what: 'changed', user: actor.userId, photo: photoId })
          await publish(tx, { kind: 'report', user: actor.userId, photo: photoId })
        }
        return found
      }))
    if (!isOurs) throw new Fault('not_found', 'Photo not found')
    facts.forget(photoId)
    const [row] = await reportsOf(db, actor.userId, photoId)
    if (row) return view(row)
    const photo = await facts.by('id', photoId)
    return {
      photo: { id: photoId, filename: photo?.filename ?? '', thumbnail_url: null },
      hidden: body.decision === 'hide',
      open: false,
      reports: [],
      decision: body.decision,
      decided_at: new Date().toISOString(),
    }
  })
}
