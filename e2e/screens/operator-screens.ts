import type { Page } from 'playwright-core'
import {
  healthInTrouble,
  sampleAuditEntry,
  sampleFailedPhoto,
  sampleOperatorUser,
  sampleOverview,
  sampleReportedPhoto,
  sampleSupportMessage,
  sampleUserDetail,
} from '@keepsnap/web/test/sample-operator.ts'
import { button, dialogOnly, waitForText, type Screen } from '../screen.ts'

const rest = { skip: 0, limit: 20 }
const email = 'a-very-long-name-of-somebody@a-very-long-name-of-a-company.example.com'
const refused = sampleAuditEntry(1, { outcome: 'refused', detail: 'There is nothing to refund.' })
const detail = sampleUserDetail(1, { email, is_complimentary: true, plan_until: '2027-03-01T23:59:59.999Z' })
/** Answers of the server by the end of the path. */
const answers = {
  overview: sampleOverview,
  health: healthInTrouble,
  'failed-photos': {
    photos: [
      sampleFailedPhoto(1, { filename: `${'A long name '.repeat(9)}.tiff` }),
      sampleFailedPhoto(2, { can_retry: false }),
    ],
    total: 31,
    ...rest,
  },
  reports: {
    photos: [sampleReportedPhoto(1), sampleReportedPhoto(2, { hidden: true, hidden_by_operator: true, open: false })],
    total: 2,
    ...rest,
  },
  users: {
    users: [
      sampleOperatorUser(1, { email, is_admin: true }),
      sampleOperatorUser(2, { plan: 'free', is_past_due: true }),
      sampleOperatorUser(3, { is_active: false, is_complimentary: true }),
    ],
    total: 45,
    ...rest,
  },
  audit: { entries: [sampleAuditEntry(2, { by: { kind: 'operator', name: email } }), refused], has_more: true },
  support: {
    messages: [
      { ...sampleSupportMessage(1), excerpt: 'A very long text. '.repeat(9) },
      { ...sampleSupportMessage(2), subject: 'VeryLongWord'.repeat(12), excerpt: 'x' },
    ],
    counts: { open: 2, priority: 1, answered: 40, suspected: 3 },
    total: 31,
    ...rest,
  },
  message1: sampleSupportMessage(1),
  user1: detail,
}

type Answers = Partial<Record<keyof typeof answers, unknown>>

/** Shows the viewer the page as an admin would see it. */
async function open(page: Page, path: string, changed: Answers = {}): Promise<void> {
  await page.route('**/user/me', async (route) => {
    const user: unknown = await (await route.fetch()).json()
    await route.fulfill({ json: { ...(user as object), is_admin: true } }) // the contract says that it is an object
  })
  await page.route('**/api/operator/**', (route) => {
    const { pathname } = new URL(route.request().url())
    const answer = Object.entries({ ...answers, ...changed }).find(([name]) => pathname.endsWith(`/${name}`))?.[1]
    return answer === undefined ? route.fulfill(passwordRequired) : route.fulfill({ json: answer })
  })
  await page.goto(path)
}

const passwordRequired = {
  status: 403,
  json: { code: 'password_required', detail: 'Please enter your password first.' },
}
const none = {
  messages: [],
  counts: { open: 0, priority: 0, answered: 0, suspected: 0 },
  photos: [],
  users: [],
  entries: [],
  total: 0,
  has_more: false,
  ...rest,
}

export const operatorScreens: Screen[] = [
  {
    name: 'Operator, with something to do everywhere',
    viewer: 'newcomer',
    axe: { differsOnDesktop: true },
    async reach(page) {
      await open(page, '/admin')
      await waitForText(page, '1 to 3 of 45')
      await waitForText(page, 'There is nothing to refund.')
    },
  },
  {
    name: 'Operator, empty lists',
    inRecordOnly: true,
    viewer: 'newcomer',
    async reach(page) {
      await open(page, '/admin', { 'failed-photos': none, reports: none, users: none, audit: none, support: none })
      await waitForText(page, 'Nothing has been done here yet.')
    },
  },
  {
    name: 'Operator, failing',
    inRecordOnly: true,
    viewer: 'newcomer',
    async reach(page) {
      await open(page, '/admin')
      await page.route('**/api/operator/**', (route) => route.fulfill({ status: 400, json: {} }))
      await page.reload()
      await button(page, 'Try Again').nth(4).waitFor()
    },
  },
  {
    name: 'Operator, one account',
    inRecordOnly: true,
    viewer: 'newcomer',
    axe: dialogOnly,
    async reach(page) {
      await open(page, '/admin?user=user1')
      await waitForText(page, 'What you can do')
    },
  },
  {
    name: 'Operator, a message to support',
    inRecordOnly: true,
    viewer: 'newcomer',
    axe: dialogOnly,
    async reach(page) {
      await open(page, '/admin')
      await button(page, /^Open “Question 1/).click()
      await waitForText(page, 'Reply by email')
    },
  },
  {
    name: 'Operator, an action that wants the password',
    inRecordOnly: true,
    viewer: 'newcomer',
    axe: { within: '[role=alertdialog]' },
    async reach(page) {
      await open(page, '/admin?user=user1')
      await button(page, 'Grant a plan').click()
      await page.getByLabel('Reason (saved in the audit log)').fill('Sponsor')
      await button(page, 'Grant plan').click()
      await page.getByLabel('Your password').waitFor()
      await button(page, 'Grant plan').click()
      await waitForText(page, 'Please enter your password.')
    },
  },
]
