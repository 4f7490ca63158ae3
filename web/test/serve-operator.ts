import { confirmOperator, listAuditEntries, operatorHealth, operatorOverview } from '@keepsnap/contract/operator.ts'
import { operatorIntegrity, startIntegrityCheck, type IntegrityState } from '@keepsnap/contract/operator-integrity.ts'
import { findEmails } from '@keepsnap/contract/operator-guests.ts'
import { findPhoto, listFailedPhotos, listReportedPhotos } from '@keepsnap/contract/operator-photos.ts'
import {
  changeSupportMessage,
  deleteSupportMessage,
  getSupportMessage,
  listSupportMessages,
} from '@keepsnap/contract/operator-support.ts'
import { operatorGetUser, operatorListUsers } from '@keepsnap/contract/operator-users.ts'
import { refuse, type FakeServer } from './fake-server.ts'
import {
  sampleAddress,
  sampleAuditEntry,
  sampleFoundPhoto,
  sampleFailedPhoto,
  sampleHealth,
  sampleIntegrityCheck,
  sampleOperatorUser,
  sampleOverview,
  sampleReportedPhoto,
  sampleSupportMessage,
  sampleUserDetail,
} from './sample-operator.ts'

/** What an action answers when the password is not entered. */
export const passwordRequired = refuse(403, 'Please enter your password first.', 'password_required')

const page = <Item>(items: Item[], skip: unknown, limit: unknown) => ({
  shown: items.slice(Number(skip ?? 0), Number(skip ?? 0) + Number(limit)),
  rest: { total: items.length, skip: Number(skip ?? 0), limit: Number(limit) },
})

/** Answers every call of the page for operators. The password is that of `addUser`. */
export function serveOperator(server: FakeServer, userCount = 3): { isConfirmed: () => boolean } {
  let confirmed = false
  const users = Array.from({ length: userCount }, (_, index) => sampleOperatorUser(index + 1))
  const failed = Array.from({ length: 9 }, (_, index) => sampleFailedPhoto(index + 1, { can_retry: index !== 1 }))
  server.answer(operatorOverview, () => sampleOverview)
  server.answer(operatorHealth, () => sampleHealth)
  const integrity: IntegrityState = { running: false, check: sampleIntegrityCheck }
  server.answer(operatorIntegrity, () => integrity)
  server.answer(startIntegrityCheck, () => Object.assign(integrity, { running: true }))
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
  server.answer(findEmails, ({ query }) => sampleAddress(query.address))
  server.answer(findPhoto, ({ query }) => ({ photos: query.text === 'nothing' ? [] : [sampleFoundPhoto] }))
  serveSupport(server, () => confirmed)
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

/** The inbox: twelve open messages, the first with priority. */
function serveSupport(server: FakeServer, isConfirmed: () => boolean): void {
  let messages = Array.from({ length: 12 }, (_, index) => sampleSupportMessage(index + 1))
  const byId = (id: string) =>
    messages.find((message) => message.id === id) ?? refuse(404, 'This message does not exist any more.', 'not_found')
  server.answer(listSupportMessages, ({ query }) => {
    const countOf = (state: string) => messages.filter((message) => message.state === state).length
    const { shown, rest } = page(
      messages.filter(({ state }) => state === query.state),
      query.skip,
      query.limit,
    )
    const counts = {
      open: countOf('open'),
      priority: 1,
      answered: countOf('answered'),
      suspected: countOf('suspected'),
    }
    return {
      messages: shown.map((message) => ({ ...message, excerpt: message.message })),
      counts,
      ...rest,
    }
  })
  server.answer(getSupportMessage, ({ params }) => byId(params.id))
  server.answer(changeSupportMessage, ({ params, body: { state } }) => {
    messages = messages.map((message) =>
      message.id === params.id
        ? { ...message, state, answered_at: state === 'answered' ? message.sent_at : null }
        : message,
    )
    return byId(params.id)
  })
  server.answer(deleteSupportMessage, ({ params }) => {
    if (!isConfirmed()) return passwordRequired
    messages = messages.filter(({ id }) => id !== params.id)
    return { deleted: true }
  })
}
