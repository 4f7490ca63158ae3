import {
  type AuditEntry,
  confirmOperator,
  type IntegrityCheck,
  type IntegrityState,
  listAuditEntries,
  operatorGetUser,
  type OperatorHealth,
  operatorHealth,
  operatorIntegrity,
  operatorListUsers,
  type OperatorOverview,
  operatorOverview,
  type OperatorUser,
  type OperatorUserDetail,
  startIntegrityCheck,
} from '@keepsnap/contract/operators.ts'
import {
  type AddressDetails,
  changeSupportMessage,
  deleteSupportMessage,
  type FailedPhoto,
  findEmails,
  findPhoto,
  type FoundPhoto,
  getSupportMessage,
  listFailedPhotos,
  listReportedPhotos,
  listSupportMessages,
  type OperatorEmail,
  type ReportedPhoto,
  type SupportMessage,
} from '@keepsnap/contract/operator-support.ts'
import {
  type BusinessInvoice,
  getBusinessInvoice,
  listBusinessInvoices,
  setInvoiceRate,
} from '@keepsnap/contract/operator-invoices.ts'
import {
  acceptWithdrawal,
  dismissWithdrawal,
  linkWithdrawal,
  listWithdrawals,
  type OperatorWithdrawal,
} from '@keepsnap/contract/operator-withdrawals.ts'
import { sampleReport } from './samples.ts'
import { type FakeServer, refuse } from './fake-server.ts'

const now = '2026-11-22T20:47:12.000Z'
const day = 86_400_000
const minutesAgo = (minutes: number): string => new Date(Date.parse(now) - minutes * 60_000).toISOString()

export const sampleOverview: OperatorOverview = {
  as_of: now,
  users: { total: 1846, active: 1802, deactivated: 44, new_7d: 31 },
  subscribers: { monthly: 288, yearly: 167, complimentary: 12 },
  photos: { total: 212_480, new_30d: 38_217, today: 1284 },
  storage_used_bytes: 1.42 * 1024 ** 4,
  support: { open: 3, priority: 1 },
  withdrawals: { open: 2, overdue: 1 },
  photos_per_day: Array.from({ length: 30 }, (_, index) => ({
    day: new Date(Date.parse('2026-10-24') + index * day).toISOString().slice(0, 10),
    photos: index === 29 ? 1284 : index === 21 ? 3610 : 400 + ((index * 7) % 11) * 140 + (index % 7 === 0 ? 1500 : 0),
  })),
}

const idle = { waiting: 0, running: 0, failed: 0, oldest_waiting_seconds: null }

/** Everything is well. */
export const sampleHealth: OperatorHealth = {
  as_of: now,
  queues: [
    { name: 'photos', waiting: 4, running: 2, failed: 0, oldest_waiting_seconds: 0.8 },
    { name: 'emails', waiting: 0, running: 1, failed: 0, oldest_waiting_seconds: null },
    ...['slow-photos', 'customers', 'maintenance'].map((name) => ({ name, ...idle })),
  ],
  processing: { photos: 96, median_seconds: 1.1, slowest_seconds: 2.4 },
  email: {
    kind: 'smtp',
    waiting: 0,
    waiting_since: null,
    sent_today: 218,
    failed_today: 3,
    last_error: null,
  },
  billing: {
    payments: 'stripe',
    refused_because: null,
    check_warning: null,
    unreachable_because: null,
    open_disputes: 0,
    compared_at: minutesAgo(47),
    mismatches: 0,
    last_webhook_at: minutesAgo(6),
    unprocessed_events: 0,
    past_due: 1,
    open_refunds: 0,
  },
  integrity: { checked_at: minutesAgo(16 * 60 + 37), objects: 424_960, missing: 0, unknown: 0 },
  backup: { finished_at: minutesAgo(15 * 60 + 44), seconds: 734, since: '2026-01-01T00:00:00.000Z', damaged: 0 },
  removals: { photos: 0, accounts: 0, stopped_at: null, stopped_because: null },
  operator: { sample_settings: [], is_public: true },
  availability: { since: '2026-01-01T00:00:00.000Z', percent: 99.97, target_percent: 99.9 },
}

/** Problems in every part. */
export const healthInTrouble: OperatorHealth = {
  ...sampleHealth,
  queues: [
    { name: 'photos', waiting: 318, running: 2, failed: 0, oldest_waiting_seconds: 641 },
    { name: 'emails', waiting: 61, running: 0, failed: 2, oldest_waiting_seconds: 960 },
    { name: 'maintenance', ...idle },
  ],
  email: {
    ...sampleHealth.email,
    waiting: 61,
    waiting_since: minutesAgo(16),
    last_error: '535 5.7.8 Authentication credentials invalid',
  },
  billing: { ...sampleHealth.billing, mismatches: 2, unprocessed_events: 4, open_refunds: 1 },
  integrity: { ...sampleHealth.integrity, missing: 2, unknown: 1 },
  backup: { finished_at: minutesAgo(60 * 24 * 2 + 1), seconds: 734, since: '2026-01-01T00:00:00.000Z', damaged: 0 },
  removals: { photos: 4_210, accounts: 31, stopped_at: minutesAgo(200), stopped_because: '4210 of 9000 photos' },
  operator: { sample_settings: ['OPERATOR_NAME', 'SUPPORT_EMAIL'], is_public: true },
  availability: { since: minutesAgo(60 * 24 * 9), percent: 99.8999, target_percent: 99.9 },
}

export const sampleFailedPhoto = (number: number, fields: Partial<FailedPhoto> = {}): FailedPhoto => ({
  id: `failed${number}`,
  filename: `IMG_${4370 + number}.tiff`,
  owner: { id: `user${number}`, username: `fotohuis${number}` },
  created_at: minutesAgo(number * 61),
  error_message: 'The file ends in the middle of the picture',
  can_retry: true,
  ...fields,
})

export const sampleReportedPhoto = (number: number, fields: Partial<ReportedPhoto['report']> = {}): ReportedPhoto => ({
  owner: { id: `user${number}`, username: `fotohuis${number}` },
  report: sampleReport(number, fields),
})

const gigabyte = 1024 ** 3

export const sampleOperatorUser = (number: number, fields: Partial<OperatorUser> = {}): OperatorUser => ({
  id: `user${number}`,
  username: `fotohuis${number}`,
  email: `fotohuis${number}@example.com`,
  is_active: true,
  is_admin: false,
  plan: 'pro_yearly',
  is_complimentary: false,
  plan_until: null,
  is_past_due: false,
  photos_this_month: 742,
  photos_per_month: 1000,
  storage_used_bytes: 43.6 * gigabyte,
  storage_bytes: 50 * gigabyte,
  created_at: '2024-05-11T10:00:00.000Z',
  ...fields,
})

export function sampleUserDetail(number: number, fields: Partial<OperatorUser> = {}): OperatorUserDetail {
  const user = sampleOperatorUser(number, fields)
  const { id, username, email, is_active, is_admin, created_at } = user
  return {
    user,
    account: {
      id,
      username,
      email,
      is_active,
      is_admin,
      created_at,
      subscription_tier: 'pro',
      logo_url: null,
      background_image_url: null,
      use_logo_as_watermark: false,
      ask_email_to_receive_photo: true,
      allow_marketing_emails: false,
      allow_promotional_emails: false,
      became_subscriber_at: '2025-03-03T10:00:00.000Z',
      photo_count: 18_204,
      subscription: { plan_name: 'Pro Yearly', status: 'active', current_period_end: '2027-03-03T10:00:00.000Z' },
      usage: { photos_this_month: user.photos_this_month, storage_used_mb: user.storage_used_bytes / 1024 ** 2 },
    },
    sessions: { count: 3, last_used_at: minutesAgo(4) },
    api_keys: 2,
    refundable_until: null,
    payments: {
      first_paid_at: '2025-03-03T10:00:00.000Z',
      subscriptions: [
        {
          plan_name: 'Pro Yearly',
          status: 'active',
          started_at: '2026-03-03T10:00:00.000Z',
          current_period_end: '2027-03-03T10:00:00.000Z',
          cancel_at_period_end: true,
          ended_at: null,
        },
        {
          plan_name: 'Pro Monthly',
          status: 'canceled',
          started_at: '2025-03-03T10:00:00.000Z',
          current_period_end: '2026-03-03T10:00:00.000Z',
          cancel_at_period_end: false,
          ended_at: '2026-03-03T10:00:00.000Z',
        },
      ],
      refunds: [
        {
          reason: 'operator',
          requested_at: '2026-03-04T10:00:00.000Z',
          amount_cents: 1499,
          done_at: '2026-03-04T10:00:00.000Z',
        },
        { reason: 'operator', requested_at: '2026-03-05T10:00:00.000Z', amount_cents: null, done_at: null },
      ],
    },
    disputes: [],
  }
}

/** Emails to a guest in every state. */
export const sampleAddress = (address: string): AddressDetails => {
  const email: OperatorEmail = {
    id: 'email1',
    kind: 'photo',
    recipient: address,
    state: 'waiting',
    created_at: minutesAgo(90),
    sent_at: null,
    next_try_at: minutesAgo(-20),
    attempts: 3,
    reason: 'The receiving server asks to wait. The email is tried again.',
    account: { id: 'user1', username: 'fotohuis1' },
  }
  const [next_try_at, reason] = [null, null]
  return {
    emails: [
      email,
      { ...email, id: 'email2', state: 'sent', sent_at: minutesAgo(80), next_try_at, reason, attempts: 1 },
      { ...email, id: 'email3', state: 'failed', next_try_at, reason: 'The mailbox is full.' },
      { ...email, id: 'email4', kind: 'support-received', state: 'sending', next_try_at, reason, account: null },
    ],
    total: 5,
    guest_emails: 4,
    requests: 3,
    support_messages: 1,
    unsubscribed: false,
    account: null,
  }
}

export const sampleFoundPhoto: FoundPhoto = {
  id: 'aP7yLr5DkS2jNw8QvT3mZc',
  filename: 'IMG_4001.jpg',
  owner: { id: 'user1', username: 'fotohuis1' },
  state: 'ready',
  error_message: null,
  uploaded_at: minutesAgo(3000),
  processed_at: minutesAgo(2999),
  hidden_at: minutesAgo(60),
  hidden_by_operator: true,
  deleted_at: null,
  reports: 1,
}

/** An entry of the audit log: `audit3` is newer than `audit2`. */
export const sampleAuditEntry = (number: number, fields: Partial<AuditEntry> = {}): AuditEntry => ({
  id: `audit${number}`,
  at: minutesAgo(1000 - number * 30),
  by: { kind: 'operator', name: 'admin@example.com' },
  action: 'deactivate account',
  subject: { kind: 'user', id: 'user1', name: 'fotohuis1' },
  reason: 'Chargeback at the bank',
  outcome: 'done',
  detail: null,
  ...fields,
})

/** Of the first, the sender is signed in and has priority support. */
export const sampleSupportMessage = (number: number): SupportMessage => ({
  id: `message${number}`,
  name: number === 1 ? 'Marjolein Vandenbroucke' : `Visitor ${number}`,
  email: `sender${number}@example.com`,
  subject: `Question ${number} & more`,
  priority: number === 1,
  state: 'open',
  sent_at: minutesAgo(number * 60),
  answered_at: null,
  message: `The screen of hall ${number} is dark.\nWhat now?`,
  account: number === 1 ? { id: 'user1', username: 'marjolein', email: 'marjolein@example.com' } : null,
})

/** A check that has found something. */
export const sampleIntegrityCheck: IntegrityCheck = {
  checked_at: '2026-11-22T04:17:30.000Z',
  by: 'nightly',
  seconds: 41.2,
  objects: 424_960,
  compared: 500,
  without_checksum: 1_200,
  removed: 0,
  other_names: { count: 3, examples: ['full/ab/.photo.jpg.a1B2c3'] },
  findings: [
    {
      kind: 'missing',
      count: 2,
      examples: ['full/aaaaaaaaaaaaaaaaaaaaaa (full of photo p1)', 'thumb/b (thumbnail of photo p2)'],
      since: null,
    },
    { kind: 'emails', count: 31, examples: ['email e1 (photo)'], since: '2026-11-22T02:00:00.000Z' },
  ],
}

export const sampleBusinessInvoice = (changes: Partial<BusinessInvoice> = {}): BusinessInvoice => ({
  id: 'invoice1',
  kind: 'invoice',
  number: 'A1B2-0001',
  corrects: null,
  issued_at: minutesAgo(90),
  buyer: { name: 'Fête & Fils SRL', vat_number: 'BE0123456749' },
  currency: 'USD',
  total_cents: 1499,
  vat_cents: 260,
  reverse_charge: false,
  eur_rate: 0.8642,
  rate_by: 'provider',
  waits_for: [],
  account: { id: 'user2', username: 'Studio 2' },
  ...changes,
})

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
  const invoices = [
    sampleBusinessInvoice({ id: 'invoice2', number: 'A1B2-0002', eur_rate: null, rate_by: null, waits_for: ['rate'] }),
    sampleBusinessInvoice(),
  ]
  server.answer(listBusinessInvoices, ({ query }) => {
    const { shown, rest } = page(invoices, query.skip, query.limit)
    return { invoices: shown, waiting: invoices.filter(({ waits_for: waits }) => waits.length > 0).length, ...rest }
  })
  server.answer(setInvoiceRate, ({ params, body }) => {
    if (!confirmed) return passwordRequired
    const invoice = invoices.find(({ id }) => id === params.id)!
    return Object.assign(invoice, { eur_rate: body.eur_rate, rate_by: 'operator', waits_for: [] })
  })
  server.answer(getBusinessInvoice, () => ({ file_name: 'A1B2-0001.xml', xml: '<Invoice/>' }))
  serveSupport(server, () => confirmed)
  serveWithdrawals(server, () => confirmed)
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

/** A withdrawal that waits. */
export const sampleWithdrawal = (id: string, fields: Partial<OperatorWithdrawal> = {}): OperatorWithdrawal => ({
  id,
  made_at: '2026-11-20T09:12:33.000Z',
  decide_by: '2026-12-04T22:59:59.000Z',
  is_overdue: false,
  name: 'Ann Peeters',
  email: 'ann@example.com',
  contract: 'Pro Monthly of last week',
  state: 'waiting',
  accepted_by: null,
  decided_at: null,
  done_at: null,
  refunded_cents: null,
  note: null,
  account: { id: 'user1', username: 'fotohuis1', email: 'ann@example.com' },
  found: { plan_name: 'Pro Monthly', concluded_at: '2026-11-15T10:00:00.000Z', until: '2026-11-30T22:59:59.000Z' },
  ...fields,
})

/** Two open withdrawals, one of which has no contract and is overdue. */
function serveWithdrawals(server: FakeServer, isConfirmed: () => boolean): void {
  const { found, account } = sampleWithdrawal('found')
  let withdrawals = [
    sampleWithdrawal('found'),
    sampleWithdrawal('lost', {
      name: 'Bart Claes',
      email: 'bart@elsewhere.example',
      made_at: '2026-11-01T09:12:33.000Z',
      decide_by: '2026-11-15T22:59:59.000Z',
      is_overdue: true,
      state: 'unmatched',
      account: null,
      found: null,
    }),
  ]
  const isClosed = ({ state }: OperatorWithdrawal): boolean => state === 'done' || state === 'dismissed'
  const change = (id: string, fields: Partial<OperatorWithdrawal>) => {
    if (!isConfirmed()) return passwordRequired
    withdrawals = withdrawals.map((one) => (one.id === id ? { ...one, ...fields } : one))
    return withdrawals.find((one) => one.id === id)!
  }
  server.answer(listWithdrawals, ({ query }) => {
    const { shown, rest } = page(
      withdrawals.filter((one) => isClosed(one) === (query.state === 'closed')),
      query.skip,
      query.limit,
    )
    const closed = withdrawals.filter(isClosed).length
    return { withdrawals: shown, counts: { open: withdrawals.length - closed, overdue: 1, closed }, ...rest }
  })
  server.answer(acceptWithdrawal, ({ params: { id } }) =>
    change(id, { state: 'done', accepted_by: 'operator', decided_at: now, done_at: now, refunded_cents: 1499 }),
  )
  server.answer(dismissWithdrawal, ({ params: { id }, body: { reason } }) =>
    change(id, { state: 'dismissed', decided_at: now, note: reason }),
  )
  server.answer(linkWithdrawal, ({ params: { id }, body: { email } }) =>
    email === account!.email
      ? change(id, { state: 'waiting', found, account })
      : refuse(404, 'No account has this email address.', 'not_found'),
  )
}
