import { confirmOperator, listAuditEntries, operatorHealth, operatorOverview } from '@keepsnap/contract/operator.ts'
import { listFailedPhotos, listReportedPhotos } from '@keepsnap/contract/operator-photos.ts'
import { operatorGetUser, operatorListUsers } from '@keepsnap/contract/operator-users.ts'
import { refuse, type FakeServer } from './fake-server.ts'
import {
  sampleAuditEntry,
  sampleFailedPhoto,
  sampleHealth,
  sampleOperatorUser,
  sampleOverview,
  sampleReportedPhoto,
  sampleUserDetail,
} from './sample-operator.ts'

/** What an action answers when the password is not entered. */
export const passwordRequired = refuse(403, 'Please enter your password first.', 'password_required')

const page = <Item>(items: Item[], skip: unknown, limit: unknown) => ({
  shown: items.slice(Number(skip ?? 0), Number(skip ?? 0) + Number(limit)),
  rest: { total: items.length, skip: Number(skip ?? 0), limit: Number(limit) },
})

/** Answers every call of the page for operators. The password is that of `addUser`. */
export function serveOperator(server: FakeServer): { isConfirmed: () => boolean } {
  let confirmed = false
  const users = Array.from({ length: 45 }, (_, index) => sampleOperatorUser(index + 1))
  const failed = Array.from({ length: 9 }, (_, index) => sampleFailedPhoto(index + 1, { can_retry: index !== 1 }))
  server.answer(operatorOverview, () => sampleOverview)
  server.answer(operatorHealth, () => sampleHealth)
  server.answer(listFailedPhotos, ({ query }) => {
    const { shown, rest } = page(failed, query.skip, query.limit)
    return { photos: shown, ...rest }
  })
  server.answer(listReportedPhotos, () => ({ photos: [sampleReportedPhoto(1)], total: 1, skip: 0, limit: 8 }))
  server.answer(operatorListUsers, ({ query }) => {
    const { shown, rest } = page(
      users.filter(({ username }) => username.includes(query.search ?? '')),
      query.skip,
      query.limit,
    )
    return { users: shown, ...rest }
  })
  server.answer(operatorGetUser, ({ params }) => sampleUserDetail(Number(params.user_id.replace('user', ''))))
  server.answer(listAuditEntries, ({ query }) =>
    query.before
      ? { entries: [sampleAuditEntry(1)], has_more: false }
      : { entries: [sampleAuditEntry(2)], has_more: !query.user_id },
  )
  server.answer(confirmOperator, ({ body }) => {
    if (body.password !== 'Correct1!') return refuse(403, 'Current password is incorrect', 'forbidden')
    confirmed = true
    return { confirmed_until: '2026-11-22T21:00:00.000Z' }
  })
  return { isConfirmed: () => confirmed }
}
